import type { AppError } from '../../kernel/errors.js'
import type { Chain } from '../chain.js'
import { GAS_PRICE_ORACLE } from './gas-price-oracle.js'

const MISSING = /^no code at (0x[0-9a-f]{40})/

/** Why nothing can be read from an address without a contract. */
export function missingCode(address: string): string {
  return `no code at ${address.toLowerCase()}, or the node is behind`
}

/**
 * Whether a failure says that there is no contract where the settings of a chain name one. All nodes that were asked show none, and what
 * settings name is older than any node is behind: an operator has to look, as waiting helps only where all nodes are new.
 */
export function lacksNamedCode({ details = '' }: AppError, chain: Chain): boolean {
  const address = MISSING.exec(details)?.[1]
  if (address === undefined || chain.family !== 'evm') return false
  const named = Object.values(chain.tokens).map((token) => token.address as string)
  if (chain.rollup !== undefined) named.push(GAS_PRICE_ORACLE)
  return named.some((one) => one.toLowerCase() === address)
}
