import type { Address } from 'viem'
import type { EvmChain } from '../../../../chains/chain.js'
import { fromBaseUnits } from '../../../../kernel/money.js'

/** The name of a token that is on the chain's list; its address where it is not, as anybody may call a token as he likes. */
export function tokenName(chain: EvmChain | undefined, token: Address): string {
  return listed(chain, token)?.[0] ?? token
}

/** An amount of a token as people read it, e.g. `20 USDC`. Of one that is not on the chain's list nobody vouches for the decimals either. */
export function tokenAmount(chain: EvmChain, token: Address, units: bigint): string {
  const found = listed(chain, token)
  if (!found) return `${units} units of ${token}`
  const [symbol, { decimals }] = found
  return `${fromBaseUnits(units, decimals)} ${symbol}`
}

function listed(chain: EvmChain | undefined, token: Address) {
  const isIt = (address: Address): boolean => address.toLowerCase() === token.toLowerCase()
  return Object.entries(chain?.tokens ?? {}).find(([, { address }]) => isIt(address))
}
