import type { Address } from 'viem'
import type { Chain, EvmChain } from '../../chains/chain.js'

/** LI.FI's chain id of Solana. */
const SOLANA_CHAIN_ID = 1151111081099710
const NATIVE_ADDRESS = { evm: '0x0000000000000000000000000000000000000000', solana: '11111111111111111111111111111111' }

/** A token as LI.FI shows it, as far as the simulator knows it. */
export interface LifiToken {
  address: string
  chainId: number
  symbol: string
  decimals: number
  name: string
}

/** The error codes of LI.FI that the simulator answers, with their HTTP status (docs.li.fi/api-reference/error-codes). */
const HTTP_STATUS_OF = { 1002: 404, 1011: 400, 1012: 502 } as const

/** A refusal as LI.FI words it. */
export class LifiError extends Error {
  override readonly name = 'LifiError'
  readonly httpStatus: number

  constructor(
    readonly code: keyof typeof HTTP_STATUS_OF,
    message: string,
    readonly toolErrors: readonly { errorType: 'NO_QUOTE'; code: string; tool: string; message: string }[] = [],
  ) {
    super(message)
    this.httpStatus = HTTP_STATUS_OF[code]
  }
}

/** LI.FI's number of a chain. */
export function lifiChainId(chain: Chain): number {
  return chain.family === 'evm' ? chain.chainId : SOLANA_CHAIN_ID
}

/** Everything that can be paid on a chain, the native coin under LI.FI's address for it. */
export function lifiTokens(chain: Chain): LifiToken[] {
  const chainId = lifiChainId(chain)
  const { symbol, decimals } = chain.nativeCoin
  const native = { address: NATIVE_ADDRESS[chain.family], chainId, symbol, decimals, name: symbol }
  const tokens =
    chain.family === 'evm'
      ? Object.entries(chain.tokens).map(([name, token]) => [name, token.address, token.decimals] as const)
      : Object.entries(chain.tokens).map(([name, token]) => [name, token.mint, token.decimals] as const)
  return [
    native,
    ...tokens.map(([name, address, places]) => ({ address, chainId, symbol: name, decimals: places, name })),
  ]
}

/** The contract that a chain's swaps go through. */
export function routerOf(chain: EvmChain): Address | undefined {
  return chain.routers[0]
}
