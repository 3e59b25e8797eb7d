import {
  confirmationOf,
  isTransferIn,
  readConfirmation,
  readEffects,
  readStatuses,
  STATUSES_MAX,
  type SignatureStatus,
} from '../../../chains/solana/confirm.js'
import { readNonces } from '../../../chains/solana/durable-nonces.js'
import { movesNothing } from '../../../chains/solana/replace.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { SignedBatch } from '../store/batches.js'
import type { ChainFee, LegResult, TransactionStatus } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'
import { costIn } from './solana-effects.js'
import { transferOf } from './solana-transfer.js'

const READ_AT_ONCE = 8

/**
 * Looks where transactions are. What no node shows can still land while its nonce is the same; once that is used up, it, or
 * another version of it, is in a block, and only which one may be unknown.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function retrieveSolana(
  context: ChainContext,
  from: string,
  open: readonly SignedBatch[],
): Promise<TransactionStatus[]> {
  const found: (TransactionStatus | undefined)[] = []
  for (let start = 0; start < open.length; start += STATUSES_MAX) {
    const some = open.slice(start, start + STATUSES_MAX)
    const { statuses } = await readStatuses(context.client, some.map(hashOf))
    // Where one version of a batch has landed the others never can, and tell nothing.
    const seenBatches = new Set(
      some.filter((_, index) => statuses[index]).map(({ transaction }) => transaction.batchId),
    )
    const unseen = some.filter(({ transaction }) => !seenBatches.has(transaction.batchId))
    found.push(...(await retrieveUnseen(context, unseen)))
    const seen = some.flatMap((signed, index) => {
      const status = statuses[index]
      return status ? [{ signed, status }] : []
    })
    await withConcurrency(seen, READ_AT_ONCE, async ({ signed, status }) => {
      found.push(await landed(context, from, signed, status))
    })
  }
  const byHash = new Map(found.flatMap((one) => (one ? [[hashOf(one.signed), one] as const] : [])))
  return open.map((signed) => byHash.get(hashOf(signed))).filter((one) => one !== undefined)
}

const hashOf = ({ transaction }: SignedBatch): string => transaction.hash

async function retrieveUnseen(
  context: ChainContext,
  unseen: readonly SignedBatch[],
): Promise<(TransactionStatus | undefined)[]> {
  const byNonce = unseen.filter(({ transaction }) => transaction.nonceAccount !== null)
  const byBlockhash = unseen.filter(({ transaction }) => transaction.nonceAccount === null)
  const lapsing = await Promise.all(byBlockhash.map((signed) => retrieveLapsing(context, signed)))
  return [...lapsing, ...(await retrieveByNonce(context, byNonce))]
}

/** What lives by a blockhash: the transactions that prepare for batches. */
async function retrieveLapsing(
  { client, chain }: ChainContext,
  signed: SignedBatch,
): Promise<TransactionStatus | undefined> {
  const { hash, account, validUntil, batchId } = signed.transaction
  const payouts = signed.legs.map(({ payout }) => payout)
  const reference = transferOf(chain, account, { batchId, payouts })?.reference ?? account
  const attempt = { signature: hash, lastValidBlockHeight: validUntil ?? 0, reference }
  const { state } = await readConfirmation(client, chain, attempt)
  if (state === 'unknown') return { signed, state: 'unknown' }
  if (state === 'expired') return { signed, state: 'void' }
  return state === 'missing' ? { signed, state: 'missing' } : undefined
}

async function retrieveByNonce(
  { client }: ChainContext,
  unseen: readonly SignedBatch[],
): Promise<(TransactionStatus | undefined)[]> {
  if (unseen.length === 0) return []
  const accounts = [...new Set(unseen.map(({ transaction }) => transaction.nonceAccount ?? ''))]
  const signedAt = Math.max(...unseen.map(({ transaction }) => Number(transaction.nonceSlot ?? 0)))
  const present = await readNonces(client, accounts, signedAt).catch(ifAway)
  // A node that is behind what was signed for tells nothing.
  if (!present) return unseen.map((signed) => ({ signed, state: 'unknown' }))
  const values = new Map(accounts.map((account, index) => [account, present.values[index]]))
  const isUsedUp = ({ transaction }: SignedBatch): boolean =>
    values.get(transaction.nonceAccount ?? '') !== transaction.nonceValue
  const usedUp = unseen.filter(isUsedUp)
  const again = usedUp.length > 0 ? await readStatuses(client, usedUp.map(hashOf)) : undefined
  return unseen.map((signed): TransactionStatus | undefined => {
    const place = usedUp.indexOf(signed)
    if (place < 0) return { signed, state: 'unknown' }
    // It has landed since the first look, or the node that was asked has not seen the slot yet.
    if (again?.statuses[place] || (again?.slot ?? 0) < present.slot) return undefined
    return { signed, state: 'missing' }
  })
}

function ifAway(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

async function landed(
  { client, chain }: ChainContext,
  from: string,
  signed: SignedBatch,
  status: SignatureStatus,
): Promise<TransactionStatus | undefined> {
  const confirmation = confirmationOf(status, chain)
  if (confirmation.state === 'confirming' || !('slot' in confirmation)) return undefined
  const { legs, transaction } = signed
  const payouts = legs.map(({ leg, payout }) => ({ ...payout, amount: leg.amount }))
  const effects = await readEffects(client, transaction.hash)
  if (!effects) return undefined
  const transfer = transferOf(chain, from, { batchId: transaction.batchId, payouts })
  const { symbol: currency, decimals } = chain.nativeCoin
  const fee: ChainFee = { amount: fromBaseUnits(costIn(effects, from), decimals), currency, decimals }
  const isFreed = transaction.nonceAccount !== null && movesNothing(transaction.raw)
  if (confirmation.state === 'failed' || isFreed) return { signed, state: 'failed', fee }
  // A transaction on Solana does all or nothing.
  const result: LegResult =
    transfer && isTransferIn(effects, transfer)
      ? { outcome: 'paid' }
      : { outcome: 'unproven', reason: `${transaction.hash} landed and does not show its transfers` }
  const block = { number: confirmation.slot, hash: null }
  return { signed, state: 'confirmed', fee, block, results: legs.map(() => result) }
}
