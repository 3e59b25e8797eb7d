import type { Clock } from '../../../kernel/clock.js'
import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { createHttpClient, toAppError, type HttpClient, type HttpClientOptions } from '../../../kernel/http.js'
import { protocolError, ProviderError } from '../../../kernel/provider-error.js'
import { findLifiSolanaViolations, findLifiViolations, LIFI_NATIVE, LIFI_SOLANA_CHAIN_ID } from './lifi-checks.js'
import {
  LIFI,
  readLifiQuote,
  readLifiSolanaQuote,
  readLifiStatus,
  type LifiQuote,
  type LifiStatus,
} from './lifi-wire.js'
import type { RouteProgress, RouteQuote, Router, RouteRequest, SolanaRouteRequest } from './router.js'

/** Where LI.FI's own API is. */
export const LIFI_DEFAULT_BASE_URL = 'https://li.quest'

/** LI.FI's error codes (docs.li.fi/api-reference/error-codes). */
const NO_QUOTE = '1002'
const NOT_FOUND = '1003'
const INVALID = '1011'

/** What the LI.FI router is made of; the key only raises its rate limits. */
export interface LifiOptions extends Omit<HttpClientOptions, 'provider' | 'headers'> {
  apiKey?: string | undefined
  clock: Clock
}

/** The LI.FI router: `GET /v1/quote/toAmount` and `GET /v1/status` (docs.li.fi). */
export function createLifiRouter({ apiKey, clock, ...options }: LifiOptions): Router {
  const client = createHttpClient({
    provider: LIFI,
    ...options,
    ...(apiKey && { headers: { 'x-lifi-api-key': apiKey } }),
  })
  const refuseBroken = (violations: readonly string[], { id: quoteId, tool }: { id: string; tool: string }): void => {
    if (violations.length === 0) return
    options.log.error({ provider: LIFI, quoteId, tool, violations }, 'the router broke our rules')
    throw new AppError('provider_unavailable')
  }
  return {
    name: LIFI,
    async quoteExactOut(request) {
      const quote = await askQuote(client, request, readLifiQuote)
      refuseBroken(findLifiViolations(request, quote), quote)
      return presentQuote(request, quote)
    },
    async quoteFromSolana(request) {
      const quote = await askQuote(client, { ...request, fromChainId: LIFI_SOLANA_CHAIN_ID }, readLifiSolanaQuote)
      refuseBroken(findLifiSolanaViolations(request, quote), quote)
      const { id, tool, estimate, transactionRequest } = quote
      return { id, tool, amountIn: estimate.fromAmount, serialized: transactionRequest.data }
    },
    status: (txHash) => askStatus(client, txHash),
  }
}

async function askQuote<Quote>(
  client: HttpClient,
  request: SolanaRouteRequest & { fromChainId: number },
  readQuote: (body: unknown) => Quote,
): Promise<Quote> {
  const { toChain, fromChainId } = request
  const family = fromChainId === LIFI_SOLANA_CHAIN_ID ? 'solana' : 'evm'
  const query = {
    fromChain: fromChainId,
    toChain: toChain.family === 'evm' ? toChain.chainId : LIFI_SOLANA_CHAIN_ID,
    fromToken: request.fromTokenAddress ?? LIFI_NATIVE[family],
    toToken: request.toTokenAddress ?? LIFI_NATIVE[toChain.family],
    fromAddress: request.payer,
    toAddress: request.receiver,
    toAmount: request.amountOut.toString(),
  }
  try {
    const { body } = await client.request({ method: 'GET', path: '/v1/quote/toAmount', query, idempotent: true })
    return readQuote(body)
  } catch (error) {
    if (error instanceof ProviderError && isUnroutable(error)) throw validationError([noRoute(request)])
    throw toAppError(error)
  }
}

/** Whether it has no way from the one token to the other, also because it does not know one of them or its chain. */
function isUnroutable({ providerCode, body }: ProviderError): boolean {
  if (providerCode === NO_QUOTE) return true
  const { message } = (body ?? {}) as { message?: unknown }
  return providerCode === INVALID && typeof message === 'string' && /\b(?:from|to)(?:Chain|Token)\b/.test(message)
}

/** Where the money would have to change chains, it is the chain that does not fit. */
function noRoute({ fromChainId, toChain }: Pick<RouteRequest, 'fromChainId' | 'toChain'>): FieldFailure {
  if (fromChainId === (toChain.family === 'evm' ? toChain.chainId : LIFI_SOLANA_CHAIN_ID))
    return { field: 'payerTokenSymbol', message: 'no route from this token to the one that is due' }
  return { field: 'chainName', message: 'no route from this token here to the one that is due on its chain' }
}

function presentQuote(request: RouteRequest, quote: LifiQuote): RouteQuote {
  const { estimate, transactionRequest } = quote
  const { to, data, value, chainId, gasLimit } = transactionRequest
  const spender = request.fromTokenAddress === undefined ? undefined : estimate.approvalAddress
  return {
    id: quote.id,
    tool: quote.tool,
    amountIn: estimate.fromAmount,
    amountOut: estimate.toAmount,
    amountOutMin: estimate.toAmountMin,
    ...(spender !== undefined && { approvalSpender: spender }),
    tx: { to, data, value, chainId, gasLimit },
  }
}

async function askStatus(client: HttpClient, txHash: string): Promise<RouteProgress> {
  try {
    const { body } = await client.request({ method: 'GET', path: '/v1/status', query: { txHash }, idempotent: true })
    return readProgress(readLifiStatus(body))
  } catch (error) {
    if (error instanceof ProviderError && error.providerCode === NOT_FOUND) return { status: 'not_found' }
    throw toAppError(error)
  }
}

function readProgress({ status, substatus, receivingTxHash }: LifiStatus): RouteProgress {
  const own = STATUS_OF[status === 'DONE' ? `DONE/${substatus ?? ''}` : status]
  // A status we do not know must neither pass a payment nor fail it.
  if (!own) throw protocolError(LIFI, 'an unknown status')
  return { status: own, ...(substatus && { substatus }), ...(receivingTxHash && { receivingTxHash }) }
}

/** DONE is not success by itself: the receiver may have got another token, or the payer their money back. */
const STATUS_OF: Readonly<Partial<Record<string, RouteProgress['status']>>> = {
  'DONE/COMPLETED': 'done',
  'DONE/PARTIAL': 'partial',
  'DONE/REFUNDED': 'refunded',
  FAILED: 'failed',
  // INVALID: the hash is not (or not yet) known as a transfer of LI.FI's.
  INVALID: 'not_found',
  NOT_FOUND: 'not_found',
  PENDING: 'pending',
}
