import bs58 from 'bs58'
import { findToken, type Chain, type SolanaChain } from '../../chains/chain.js'
import { readReceived } from '../../chains/solana/confirm.js'
import { createSolanaClient, type SolanaClient } from '../../chains/solana/client.js'
import { payAcross } from './bridge.js'
import { readDeal, SELLER, type SealedDeal } from './solana-seller.js'
import { lifiChainId, LifiError } from './wire.js'

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** The part of `getTransaction`'s answer that shows what was agreed. */
interface Shown {
  transaction: {
    message: { accountKeys: readonly string[]; instructions: readonly { programIdIndex: number; data: string }[] }
  }
  meta: { err: unknown } | null
}

/**
 * The answer of `GET /v1/status` for a signature of Solana: a swap there is done with its own transaction; what crosses the
 * bridge is paid on the other chain as soon as it came in.
 * @returns undefined where the chain does not show it
 * @throws LifiError 1012 while a chain cannot be asked
 */
export async function solanaStatusOf(
  chains: readonly Chain[],
  chain: SolanaChain,
  signature: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const client = createSolanaClient(chain)
    const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
    const shown = (await client.call('getTransaction', [signature, config])) as Shown | null
    if (!shown) return undefined
    const sending = { txHash: signature, chainId: lifiChainId(chain) }
    const deal = dealOf(shown)
    if (!deal) return { sending, receiving: {}, status: 'INVALID' }
    if (shown.meta?.err) return { sending, receiving: {}, status: 'FAILED', substatus: 'UNKNOWN_FAILED_ERROR' }
    return { transactionId: deal.id, sending, ...(await receivingOf(chains, { chain, client, signature }, deal)) }
  } catch (error) {
    if (error instanceof LifiError) throw error
    throw new LifiError(1012, 'Failed to reach the RPC of the chain')
  }
}

function dealOf({ transaction }: Shown): SealedDeal | undefined {
  const { accountKeys, instructions } = transaction.message
  const memo = instructions.find(({ programIdIndex }) => accountKeys[programIdIndex] === MEMO_PROGRAM)
  return memo && readDeal(Buffer.from(bs58.decode(memo.data)).toString())
}

async function receivingOf(
  chains: readonly Chain[],
  { chain, client, signature }: { chain: SolanaChain; client: SolanaClient; signature: string },
  deal: SealedDeal,
): Promise<Record<string, unknown>> {
  const toChain = chains.find((candidate) => lifiChainId(candidate) === deal.toChainId)
  const done = (txHash: string) => ({
    receiving: { txHash, chainId: deal.toChainId, amount: deal.toAmount.toString() },
    status: 'DONE',
    substatus: 'COMPLETED',
  })
  if (toChain === chain) return done(signature)
  const asset = findToken(chain, deal.fromSymbol)
  const wallet = SELLER.publicKey.toBase58()
  const received = asset && (await readReceived(client, chain, signature, { wallet, asset }))
  if (received === undefined) return { receiving: {}, status: 'PENDING', substatus: 'WAIT_SOURCE_CONFIRMATIONS' }
  if (toChain?.family !== 'evm' || received < deal.fromAmount) {
    return { receiving: {}, status: 'FAILED', substatus: 'UNKNOWN_FAILED_ERROR' }
  }
  return done(await payAcross(toChain, signature, deal))
}
