import {
  confirmationOf,
  isTransferIn,
  readConfirmation,
  readEffects,
  readStatuses,
  STATUSES_MAX,
  type Effects,
  type SignatureStatus,
} from '../../../chains/solana/confirm.js'
import { readNonces } from '../../../chains/solana/durable-nonces.js'
import { movesNothing } from '../../../chains/solana/replace.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { LegsReader } from '../store/batches.js'
import type { TreasuryTransaction } from '../store/payout.entity.js'
import type { ChainFee, LegResult, TransactionStatus } from './payout-chain.js'
import type { ChainContext } from './solana-balances.js'
import { costIn } from './solana-effects.js'
import { transferOf } from './solana-transfer.js'

const READ_AT_ONCE = 8

/** The treasury's chain, its account there, and what reads what its transactions pay. */
interface RetrieveContext extends ChainContext {
  account: string
  withLegs: LegsReader
}

/**
 * Looks where transactions are. What no node shows can still land while its nonce is the same; once that is used up, it, or
 * another version of it, is in a block, and only which one may be unknown.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function retrieveSolana(
  context: RetrieveContext,
  open: readonly TreasuryTransaction[],
): Promise<TransactionStatus[]> {
  const found: (TransactionStatus | undefined)[] = []
  for (let start = 0; start < open.length; start += STATUSES_MAX) {
    const some = open.slice(start, start + STATUSES_MAX)
    const { statuses } = await readStatuses(context.client, some.map(hashOf))
    // Where one version of a batch has landed the others never can, and tell nothing.
    const seenBatches = new Set(some.filter((_, index) => statuses[index]).map(({ batchId }) => batchId))
    const unseen = some.filter(({ batchId }) => !seenBatches.has(batchId))
    found.push(...(await retrieveUnseen(context, unseen)))
    const seen = some.flatMap((transaction, index) => {
      const status = statuses[index]
      return status ? [{ transaction, status }] : []
    })
    await withConcurrency(seen, READ_AT_ONCE, async ({ transaction, status }) => {
      found.push(await landed(context, transaction, status))
    })
  }
  const byHash = new Map(found.flatMap((one) => (one ? [[hashOf(transactionOf(one)), one] as const] : [])))
  return open.map((transaction) => byHash.get(hashOf(transaction))).filter((one) => one !== undefined)
}

const hashOf = ({ hash }: TreasuryTransaction): string => hash
const transactionOf = (status: TransactionStatus): TreasuryTransaction =>
  'signed' in status ? status.signed.transaction : status.transaction

async function retrieveUnseen(
  context: RetrieveContext,
  unseen: readonly TreasuryTransaction[],
): Promise<(TransactionStatus | undefined)[]> {
  const byNonce = unseen.filter(({ nonceAccount }) => nonceAccount !== null)
  const byBlockhash = unseen.filter(({ nonceAccount }) => nonceAccount === null)
  const lapsing = await Promise.all(byBlockhash.map((transaction) => retrieveLapsing(context, transaction)))
  return [...lapsing, ...(await retrieveByNonce(context, byNonce))]
}

/** What lives by a blockhash: the transactions that prepare for batches. */
async function retrieveLapsing(
  { client, chain, account: from, withLegs }: RetrieveContext,
  transaction: TreasuryTransaction,
): Promise<TransactionStatus | undefined> {
  const [signed] = await withLegs([transaction])
  if (!signed) return undefined
  const { hash, validUntil, batchId } = transaction
  const payouts = signed.legs.map(({ payout }) => payout)
  const reference = transferOf(chain, from, { batchId, payouts })?.reference ?? transaction.account
  const attempt = { signature: hash, lastValidBlockHeight: validUntil ?? 0, reference }
  const { state } = await readConfirmation(client, chain, attempt)
  if (state === 'unknown') return { transaction, state: 'unknown' }
  // What pays nobody is signed anew also where histories alone say that it never landed: twice it does nothing more.
  if (state === 'expired' || (state === 'missing' && payouts.length === 0)) return { signed, state: 'dropped' }
  return state === 'missing' ? { signed, state: 'missing' } : undefined
}

async function retrieveByNonce(
  { client, withLegs }: RetrieveContext,
  unseen: readonly TreasuryTransaction[],
): Promise<(TransactionStatus | undefined)[]> {
  if (unseen.length === 0) return []
  const accounts = [...new Set(unseen.map(({ nonceAccount }) => nonceAccount ?? ''))]
  const signedAt = Math.max(...unseen.map(({ nonceSlot }) => Number(nonceSlot ?? 0)))
  const present = await readNonces(client, accounts, signedAt).catch(ifAway)
  // A node that is behind what was signed for tells nothing.
  if (!present) return unseen.map((transaction) => ({ transaction, state: 'unknown' }))
  const values = new Map(accounts.map((account, index) => [account, present.values[index]]))
  const isUsedUp = ({ nonceAccount, nonceValue }: TreasuryTransaction): boolean =>
    values.get(nonceAccount ?? '') !== nonceValue
  const usedUp = unseen.filter(isUsedUp)
  const again = usedUp.length > 0 ? await readStatuses(client, usedUp.map(hashOf)) : undefined
  const missing = usedUp.filter((_, place) => {
    // It has landed since the first look, or the node that was asked has not seen the slot yet.
    return !again?.statuses[place] && (again?.slot ?? 0) >= present.slot
  })
  const open = unseen.filter((transaction) => !isUsedUp(transaction))
  return [
    ...open.map((transaction) => ({ transaction, state: 'unknown' }) as const),
    ...(await withLegs(missing)).map((signed) => ({ signed, state: 'missing' }) as const),
  ]
}

function ifAway(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}

async function landed(
  { client, chain, account: from, withLegs }: RetrieveContext,
  transaction: TreasuryTransaction,
  status: SignatureStatus,
): Promise<TransactionStatus | undefined> {
  const confirmation = confirmationOf(status, chain)
  if (confirmation.state === 'confirming' || !('slot' in confirmation)) return undefined
  const effects = await readEffects(client, transaction.hash)
  const [signed] = effects ? await withLegs([transaction]) : []
  if (!effects || !signed) return undefined
  if (effects.slot !== status.slot)
    return { signed, state: 'unexpected', reason: otherSlots(effects, status), isFinal: false }
  const { legs } = signed
  const payouts = legs.map(({ leg, payout }) => ({ ...payout, amount: leg.amount }))
  const transfer = transferOf(chain, from, { batchId: transaction.batchId, payouts })
  const { symbol: currency, decimals } = chain.nativeCoin
  const fee: ChainFee = { amount: fromBaseUnits(costIn(effects, from), decimals), currency, decimals }
  const isShown = confirmation.state !== 'failed' && transfer !== undefined && isTransferIn(effects, transfer)
  const isFreed = !isShown && transaction.nonceAccount !== null && movesNothing(transaction.raw)
  if (confirmation.state === 'failed' || isFreed) {
    // Its payouts are signed anew, with another nonce: on another fork the version that this one has replaced might land still.
    return status.confirmationStatus === 'finalized' ? { signed, state: 'failed', fee, isFreed } : undefined
  }
  // A transaction on Solana does all or nothing.
  const result: LegResult = isShown
    ? { outcome: 'paid' }
    : { outcome: 'unproven', reason: `${transaction.hash} landed and does not show its transfers` }
  const block = { number: effects.slot, hash: null }
  return { signed, state: 'confirmed', fee, block, results: legs.map(() => result) }
}

/** The slot is written down, and all that is read later has to be as new: one that no chain has would have all nodes be behind it for ever. */
function otherSlots(effects: Effects, status: SignatureStatus): string {
  return `is in slot ${effects.slot} as a node shows it, and in slot ${status.slot} by its status`
}
