import { withConcurrency } from '../../../kernel/with-concurrency.js'
import type { TreasuryTransaction } from '../store/payout.entity.js'
import type { AccountNow, OpenStatuses } from './account-now.js'
import { confirmBatch, retryBatch } from './confirm-batch.js'
import { holdBatch, renewBatch, tellOnce } from './finish-batch.js'
import type { EndedTransaction, PreparedVersion } from './payout-chain.js'
import { setAside } from './set-aside.js'
import type { Treasury } from './treasury.js'

/** Sends on their way at once where their order does not count. */
const SENT_AT_ONCE = 8
/** Batches that are written down at once: while one waits for the database, the next is worked out. */
const ENDED_AT_ONCE = 4
/** A transaction that is in no block after this gets higher fees. */
const STUCK_MS = 60_000
/**
 * So often at most where nonces have no order. Where they have one the fees have a bound of their own, in times of what the chain asks for:
 * a chain that stood still may come back dearer, and all that was signed later waits for that nonce.
 */
const VERSIONS_MAX = 12

/** Asks the chain where the transactions are that are on their way. @throws AppError `confirm_rpc_unavailable` */
export async function retrieveStatuses(
  { deps, chain, port }: Treasury,
  open: readonly TreasuryTransaction[],
): Promise<OpenStatuses> {
  if (open.length === 0) return { ended: [], unmined: [] }
  const statuses = await port.retrieve(chain, open, deps.payouts.withLegs)
  return {
    ended: statuses.filter((status) => 'signed' in status),
    unmined: statuses.filter((status) => 'transaction' in status),
  }
}

/**
 * Sends what may not have been sent, and what no node knows any more, and raises the fees of what no block takes: where nodes have it, or
 * refuse it for its fees. Where none says either, they would be raised again and again for a node that fails.
 */
export async function bringOn(
  treasury: Treasury,
  open: readonly TreasuryTransaction[],
  { ended, unmined }: OpenStatuses,
): Promise<void> {
  const { port } = treasury
  const over = new Set(ended.map(({ signed }) => batchIdOf(signed.transaction)))
  const unknown = new Set(unmined.filter(({ state }) => state === 'unknown').map(({ transaction }) => transaction))
  const sendable = newestVersions(open).filter((one) => !over.has(batchIdOf(one)) && !mayLapse(one))
  const answers = await send(
    treasury,
    sendable.filter((one) => one.state === 'stored' || unknown.has(one)),
  )
  const { sent } = answers
  const isAnyRefused = answers.refused.length + answers.unexplained.length > 0
  const freed = new Set(isAnyRefused ? open.filter(isFreed(treasury)).map(batchIdOf) : [])
  const given = await giveUp(
    treasury,
    answers.unexplained.filter(({ transaction }) => !freed.has(batchIdOf(transaction))),
  )
  const refused = [...answers.refused, ...given]
  await freeNonces(
    treasury,
    refused.filter((signed) => !freed.has(batchIdOf(signed))),
  )
  // What was sent for the first time just now has had no block yet.
  const isNew = (one: TreasuryTransaction): boolean => one.state === 'stored' && sent.includes(one)
  // For what but its fees should one be refused that moves nothing? In its place there is nothing else to send.
  const isLeft = (one: TreasuryTransaction): boolean => refused.includes(one) && !freed.has(batchIdOf(one))
  const transactions = unmined.map(({ transaction }) => transaction)
  const taken = transactions.filter((one) => !isLeft(one) && !isNew(one))
  const waiting = new Set(unmined.filter(({ state }) => state === 'waiting').map(({ transaction }) => transaction))
  const mayHelp = (one: TreasuryTransaction): boolean =>
    waiting.has(one) || answers.mayBeCheap.includes(one) || refused.includes(one)
  // Those behind the first wait for its nonce, where nonces have an order.
  const raisable = port.areNoncesOrdered ? transactions.slice(0, 1) : newestVersions(taken)
  for (const signed of raisable.filter((one) => taken.includes(one))) {
    const others = taken.filter((one) => one !== signed)
    await replaceStuck(treasury, signed, { others, mayHelp: mayHelp(signed) })
  }
}

/** Writes down what became of transactions that the chain shows to be over. Returns whether any is, for good. */
export async function endAll(treasury: Treasury, ended: readonly EndedTransaction[]): Promise<boolean> {
  const areOver = await withConcurrency(ended, ENDED_AT_ONCE, (status) => endTransaction(treasury, status))
  return areOver.includes(true)
}

/** What an operator has cancelled is not sent again where it lapses by itself. */
function mayLapse({ validUntil, cancelledAt }: TreasuryTransaction): boolean {
  return validUntil !== null && cancelledAt !== null
}

const batchIdOf = ({ batchId }: TreasuryTransaction): string => batchId

/** Whether it is a version that moves nothing. */
function isFreed({ port }: Treasury): (transaction: TreasuryTransaction) => boolean {
  return (transaction) => transaction.validUntil === null && port.nonces.isFreed(transaction)
}

/** Of each batch the version that was signed last: the earlier ones would be refused with it. */
function newestVersions(open: readonly TreasuryTransaction[]): readonly TreasuryTransaction[] {
  const newest = new Map(open.map((transaction) => [batchIdOf(transaction), transaction]))
  return open.filter((transaction) => newest.get(batchIdOf(transaction)) === transaction)
}

/** Acts on what the chain shows of one transaction. Returns whether it is over with it. */
async function endTransaction({ deps }: Treasury, status: EndedTransaction): Promise<boolean> {
  const { signed, state } = status
  if (state === 'confirmed') await confirmBatch(deps, status)
  else if (state === 'failed') await retryBatch(deps, status)
  else if (state === 'dropped') await renewBatch(deps, signed)
  else if (state === 'missing') await holdBatch(deps, signed)
  else if (status.isFinal) await setAside(deps, signed, status.reason)
  else await tellOnce(deps, 'payout_unexpected', signed.transaction, status.reason)
  return state !== 'unexpected' || status.isFinal
}

/** What is refused, and nobody says for what. */
interface Unexplained {
  transaction: TreasuryTransaction
  reason: string
}

/**
 * Those of the refused whose reason nobody tells that are in no block for long: gateways leave out what a transaction failed by, so one that
 * can never land would wait for ever. Where it was on its way all the same, it and what uses its nonce up exclude each other.
 */
async function giveUp({ deps }: Treasury, unexplained: readonly Unexplained[]): Promise<TreasuryTransaction[]> {
  const old = unexplained.filter(({ transaction }) => isOld(deps, transaction))
  for (const { transaction, reason } of old) {
    await tellOnce(deps, 'payout_failed', transaction, `is refused, and is in no block: ${reason}`)
  }
  return old.map(({ transaction }) => transaction)
}

/** Whether a version was signed so long ago that something is to be done where no block has it. */
function isOld({ clock }: Treasury['deps'], { createdAt }: TreasuryTransaction): boolean {
  return clock.now().getTime() - createdAt.getTime() >= STUCK_MS
}

/**
 * Sends in the order of nonces: a node that has a gap before one may keep it waiting, or drop it. What the chain refuses
 * stays written down and is sent again.
 * @returns what it has taken, what it will never take, of what it may never, or has, as the reason is not told, and what it has already or
 *   may refuse for its fees
 */
export async function send(
  { deps, chain, port }: Treasury,
  transactions: readonly TreasuryTransaction[],
): Promise<{
  sent: readonly TreasuryTransaction[]
  refused: readonly TreasuryTransaction[]
  unexplained: readonly Unexplained[]
  mayBeCheap: readonly TreasuryTransaction[]
}> {
  const sent: TreasuryTransaction[] = []
  const refused: TreasuryTransaction[] = []
  const mayBeCheap: TreasuryTransaction[] = []
  const unexplained: Unexplained[] = []
  await withConcurrency(transactions, port.areNoncesOrdered ? 1 : SENT_AT_ONCE, async (one) => {
    const result = await port.send(chain, one.raw)
    if (result.kind === 'sent') sent.push(one)
    if (result.kind === 'sent' ? !result.isFresh : result.isUnderpriced) mayBeCheap.push(one)
    if (result.kind === 'unknown' && result.refusal !== undefined)
      unexplained.push({ transaction: one, reason: result.refusal })
    if (result.kind !== 'refused') return
    if (result.isLasting) refused.push(one)
    await tellOnce(deps, 'payout_failed', one, `is refused: ${result.reason}`)
  })
  if (sent.length > 0) await deps.payouts.markSent(sent)
  return { sent, refused, unexplained, mayBeCheap }
}

/**
 * Signs a transaction that moves nothing for each nonce whose batch the chain refuses for good: everything behind it
 * waits for that nonce. The refused bytes are not forgotten, in case a node took them after all; which of the two
 * landed decides what becomes of the payouts.
 */
export async function freeNonces(treasury: Treasury, refused: readonly TreasuryTransaction[]): Promise<void> {
  const { deps, chain, port } = treasury
  for (const transaction of refused) {
    // What lapses by itself holds up nobody.
    if (transaction.validUntil !== null || port.nonces.isFreed(transaction)) continue
    if (!port.canSign) {
      await tellOnce(
        deps,
        'payout_stuck',
        transaction,
        `is refused, and ${port.account} is not in the settings any more`,
      )
      continue
    }
    await sendVersion(treasury, transaction, await port.nonces.free(chain, transaction))
  }
}

/** Whether no block has taken an account's next transaction for long, so that what is signed behind it would wait too. */
export function isHeldUp({ treasury: { deps, port }, open, statuses }: AccountNow): boolean {
  const [first] = statuses.unmined
  if (!port.areNoncesOrdered || !first) return false
  const versions = open.filter(({ transaction }) => batchIdOf(transaction) === batchIdOf(first.transaction))
  const signedAt = Math.min(...versions.map(({ transaction }) => transaction.createdAt.getTime()))
  return deps.clock.now().getTime() - signedAt >= STUCK_MS
}

/** Raises the fees of a transaction that is in no block for long. @param place.mayHelp whether it is its fees that it may wait for */
async function replaceStuck(
  treasury: Treasury,
  newest: TreasuryTransaction,
  { others, mayHelp }: { others: readonly TreasuryTransaction[]; mayHelp: boolean },
): Promise<void> {
  const { deps, chain, port } = treasury
  const { version, validUntil } = newest
  if (validUntil !== null || !isOld(deps, newest)) return
  const isWatched = port.canSign ? '' : `, and ${port.account} is not in the settings any more`
  await tellOnce(deps, 'payout_stuck', newest, `is in no block${isWatched}`)
  const isLast = !port.areNoncesOrdered && version + 1 >= VERSIONS_MAX
  if (!mayHelp || !port.canSign || isLast) return
  const raised = await port.nonces.raiseFees(chain, newest, others)
  if (raised) await sendVersion(treasury, newest, raised)
}

/** Writes down another version of a transaction, then sends it. */
export async function sendVersion(
  treasury: Treasury,
  old: TreasuryTransaction,
  { hash, raw }: PreparedVersion,
): Promise<void> {
  const { deps } = treasury
  const version = old.version + 1
  // Versions are in the order of their times, and another process has signed the one before by a clock of its own.
  const createdAt = new Date(Math.max(deps.clock.now().getTime(), old.createdAt.getTime()))
  const transaction: TreasuryTransaction = { ...old, hash, raw, version, state: 'stored', createdAt }
  await deps.payouts.addVersion(transaction)
  await send(treasury, [transaction])
}
