/** A payer's request: the receiver is to get exactly `amountOut`, whatever token and chain the payer pays with. */
export interface RouteRequest {
  /** The EVM chain on which the payer signs. */
  fromChainId: number
  toChain: { family: 'evm'; chainId: number } | { family: 'solana' }
  /** The contract of the payer's token; absent for the chain's native coin. */
  fromTokenAddress?: string | undefined
  /** The contract or mint of the receiver's token; absent for the chain's native coin. */
  toTokenAddress?: string | undefined
  payer: string
  receiver: string
  /** What is due, in base units of the receiver's token. */
  amountOut: bigint
  /** The most that the payer may be asked for, in base units of the payer's token. */
  amountInMax?: bigint | undefined
  /** The contracts of `fromChainId` that may be called and may be given an allowance. */
  allowedTargets: readonly string[]
}

/** The same of a payer on Solana. */
export type SolanaRouteRequest = Omit<RouteRequest, 'fromChainId' | 'allowedTargets'>

/** A router's offer to a payer on Solana; what its transaction takes is not checked yet. */
export interface SolanaRouteQuote {
  id: string
  tool: string
  /** In base units of the payer's token. */
  amountIn: bigint
  /** Base64 of the wire, which lacks the payer's signature. */
  serialized: string
}

/** A checked transaction for the payer to sign; nonce and fees are the caller's to fill in. */
export interface RouteTransaction {
  to: string
  /** 0x-hex calldata. */
  data: string
  /** Native coin sent along, in base units. */
  value: bigint
  chainId: number
  gasLimit: bigint
}

/** A router's offer. Amounts are base units. */
export interface RouteQuote {
  id: string
  /** The bridge or exchange that the router chose. */
  tool: string
  amountIn: bigint
  amountOut: bigint
  amountOutMin: bigint
  /** The contract that needs an allowance of `amountIn` first; absent for native coin. */
  approvalSpender?: string
  tx: RouteTransaction
}

/**
 * How far a routed payment is. Only `done` means that the receiver has what was asked for: `partial` delivered another
 * token, `refunded` gave the payer's money back.
 */
export type RouteStatus = 'not_found' | 'pending' | 'done' | 'partial' | 'refunded' | 'failed'

/** A route's status with the router's own word for it, and the transaction that paid the receiver where there is one. */
export interface RouteProgress {
  status: RouteStatus
  substatus?: string
  receivingTxHash?: string
}

/** Finds ways from one token to another, across chains. */
export interface Router {
  readonly name: string
  /**
   * An offer for exactly `amountOut`. Throws AppError validation_error on `payerTokenSymbol` or `chainName` where there is no route,
   * provider_unavailable (also for an offer that breaks our rules) or provider_timeout.
   */
  quoteExactOut(request: RouteRequest): Promise<RouteQuote>
  /** The same for a payer on Solana; see there what it throws. */
  quoteFromSolana(request: SolanaRouteRequest): Promise<SolanaRouteQuote>
  /** Where the payer's transaction stands. Throws AppError provider_unavailable or provider_timeout. */
  status(txHash: string): Promise<RouteProgress>
}
