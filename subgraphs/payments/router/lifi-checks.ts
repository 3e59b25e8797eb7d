import type { LifiQuote, LifiTerms } from './lifi-wire.js'
import type { RouteRequest, SolanaRouteRequest } from './router.js'

/** LI.FI's chain id of Solana. */
export const LIFI_SOLANA_CHAIN_ID = 1151111081099710

/** How LI.FI names a chain's native coin. */
export const LIFI_NATIVE = {
  evm: '0x0000000000000000000000000000000000000000',
  solana: '11111111111111111111111111111111',
} as const

/** EVM addresses come in any case; Solana's are exact. */
function sameAddress(one: string, other: string): boolean {
  return one.startsWith('0x') ? one.toLowerCase() === other.toLowerCase() : one === other
}

/**
 * What in an offer is not what was asked for, as short names; none if it may be handed out. A router that is wrong or
 * compromised must not be able to make a payer sign a payment to anyone else, so nothing it says is taken on trust.
 */
export function findLifiViolations(request: RouteRequest, quote: LifiQuote): string[] {
  const { estimate, transactionRequest: tx } = quote
  const allowed = (address: string) => request.allowedTargets.some((target) => sameAddress(target, address))
  return broken({
    'transactionRequest.chainId': tx.chainId === request.fromChainId,
    'transactionRequest.to': allowed(tx.to),
    'transactionRequest.from': sameAddress(request.payer, tx.from),
    'transactionRequest.data': /^0x([0-9a-f]{2})+$/i.test(tx.data),
    'transactionRequest.value': isValueRight(request, quote),
    ...termRules(request, { chainId: request.fromChainId, family: 'evm' }, quote),
    'estimate.approvalAddress':
      request.fromTokenAddress === undefined ||
      (estimate.approvalAddress !== undefined && allowed(estimate.approvalAddress)),
  })
}

/** The same of an offer to a payer on Solana, but for its transaction: `findRouteViolation` runs that. */
export function findLifiSolanaViolations(request: SolanaRouteRequest, quote: LifiTerms): string[] {
  return broken(termRules(request, { chainId: LIFI_SOLANA_CHAIN_ID, family: 'solana' }, quote))
}

function broken(rules: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(rules).filter((rule) => !rules[rule])
}

/** Who pays what, and who gets what. */
function termRules(
  request: SolanaRouteRequest,
  from: { chainId: number; family: keyof typeof LIFI_NATIVE },
  { action, estimate }: LifiTerms,
): Record<string, boolean> {
  const { family } = request.toChain
  const toChainId = request.toChain.family === 'evm' ? request.toChain.chainId : LIFI_SOLANA_CHAIN_ID
  return {
    'action.fromChainId': action.fromChainId === from.chainId,
    'action.toChainId': action.toChainId === toChainId,
    'action.fromToken': sameAddress(request.fromTokenAddress ?? LIFI_NATIVE[from.family], action.fromTokenAddress),
    'action.toToken': sameAddress(request.toTokenAddress ?? LIFI_NATIVE[family], action.toTokenAddress),
    'action.fromAddress': sameAddress(request.payer, action.fromAddress),
    'action.toAddress': sameAddress(request.receiver, action.toAddress),
    'estimate.fromAmount':
      estimate.fromAmount > 0n && estimate.fromAmount <= (request.amountInMax ?? estimate.fromAmount),
    'estimate.toAmountMin': estimate.toAmountMin >= request.amountOut && estimate.toAmount >= estimate.toAmountMin,
  }
}

/** A token payment sends no native coin along; a native one the amount, and fees that the offer itself declares. */
function isValueRight(request: RouteRequest, { estimate, transactionRequest: { value } }: LifiQuote): boolean {
  if (request.fromTokenAddress !== undefined) return value === 0n
  const fees = estimate.extraFees
    .filter(({ tokenAddress }) => sameAddress(LIFI_NATIVE.evm, tokenAddress))
    .reduce((total, { amount }) => total + amount, 0n)
  const within = value >= estimate.fromAmount && value <= estimate.fromAmount + fees
  return within && value <= (request.amountInMax ?? value)
}
