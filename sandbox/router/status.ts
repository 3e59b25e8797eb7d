import {
  createPublicClient,
  decodeFunctionData,
  http,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type Hex,
} from 'viem'
import type { Chain, EvmChain } from '../../chains/chain.js'
import { sandboxRouterAbi } from '../anvil/seed.js'
import { solanaStatusOf } from './solana-status.js'
import { LifiError, lifiTokens, routerOf } from './wire.js'

/** Every status that LI.FI answers. */
export const LIFI_STATUSES = ['NOT_FOUND', 'INVALID', 'PENDING', 'DONE', 'FAILED'] as const

/** A status and its explanation, e.g. DONE and COMPLETED. */
export interface LifiOutcome {
  status: (typeof LIFI_STATUSES)[number]
  substatus?: string
}

/**
 * The answer of `GET /v1/status`: what the chains say about the transaction, or the outcome that was ordered for it.
 * Throws a LifiError: 1011 for what is no transaction hash, 1012 while a chain cannot be asked.
 */
export async function statusOf(
  chains: readonly Chain[],
  txHash: unknown,
  ordered: LifiOutcome | undefined,
): Promise<Record<string, unknown>> {
  if (typeof txHash !== 'string' || !(/^0x[0-9a-f]{64}$/i.test(txHash) || SIGNATURE.test(txHash)))
    throw new LifiError(1011, '/txHash is not a valid transaction hash')
  // An ordered outcome replaces the whole one, also where it has no substatus.
  const outcome = ordered && { substatus: undefined, ...ordered }
  for (const chain of chains) {
    const found = await lookUpOn(chains, chain, txHash)
    if (found) return { ...found, ...outcome, tool: 'sandbox' }
  }
  const absent: LifiOutcome = { status: 'NOT_FOUND' }
  return { sending: { txHash }, receiving: {}, ...absent, ...outcome }
}

/** A signature of Solana, base58. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/

function lookUpOn(
  chains: readonly Chain[],
  chain: Chain,
  txHash: string,
): Promise<Record<string, unknown> | undefined> {
  const isEvm = txHash.startsWith('0x')
  if (chain.family === 'evm') return isEvm ? lookUp(chain, txHash as Hex) : Promise.resolve(undefined)
  return isEvm ? Promise.resolve(undefined) : solanaStatusOf(chains, chain, txHash)
}

async function lookUp(chain: EvmChain, hash: Hex): Promise<Record<string, unknown> | undefined> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { retryCount: 0 }) })
  try {
    const transaction = await client.getTransaction({ hash })
    const swap =
      transaction.to?.toLowerCase() === routerOf(chain)?.toLowerCase() ? readSwap(chain, transaction.input) : undefined
    const sending = { txHash: hash, chainId: chain.chainId, amount: swap?.fromAmount, token: swap?.fromToken }
    if (!swap) return { sending, receiving: {}, status: 'INVALID' }
    const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined
      throw error
    })
    const about = { transactionId: swap.id, sending, fromAddress: transaction.from, toAddress: swap.to }
    const receiving = { chainId: chain.chainId }
    if (!receipt) return { ...about, receiving, status: 'PENDING', substatus: 'WAIT_SOURCE_CONFIRMATIONS' }
    if (receipt.status === 'reverted')
      return { ...about, receiving, status: 'FAILED', substatus: 'UNKNOWN_FAILED_ERROR' }
    const paid = { ...receiving, txHash: hash, amount: swap.toAmount, token: swap.toToken }
    return { ...about, receiving: paid, status: 'DONE', substatus: 'COMPLETED' }
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined
    throw new LifiError(1012, 'Failed to reach the RPC of the chain')
  }
}

function readSwap(chain: EvmChain, data: Hex) {
  try {
    const { args } = decodeFunctionData({ abi: sandboxRouterAbi, data })
    const [fromToken, fromAmount, toToken, toAmount, to, id] = args
    const token = (address: string) =>
      lifiTokens(chain).find((known) => known.address.toLowerCase() === address.toLowerCase())
    return {
      fromToken: token(fromToken),
      fromAmount: fromAmount.toString(),
      toToken: token(toToken),
      toAmount: toAmount.toString(),
      to,
      id,
    }
  } catch {
    return undefined
  }
}
