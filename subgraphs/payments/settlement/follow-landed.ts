import type { BatchLeg, TreasuryTransaction } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import { backoffByAge } from '../model/backoff.js'
import { confirmBatch, correctFee, type ConfirmedBatch } from './confirm-batch.js'
import type { PayoutFinality } from './payout-chain.js'
import type { Treasury, TreasuryDeps } from './treasury.js'
import { confirmPaidAfterAll, releaseUnpaid } from './unpaid-legs.js'

/** So many transactions are retrieved in one run. */
const BATCH = 200
/** A transaction that was called dropped is retrieved again in these intervals, for a day. */
const DROPPED = { shortestMs: 30_000, longestMs: 3_600_000 }
const DROPPED_WATCH_MS = 24 * 3_600_000

/** What was confirmed is retrieved again after this. */
export const FOLLOW_MS = 5_000

type FollowedTreasury = Treasury<TreasuryDeps>

/**
 * Retrieves again what the treasury's attempts ended with, under the treasury's lock: whether the chain still has what was
 * called confirmed, until its block is final, and whether it has what was called dropped.
 */
export async function followLanded(treasury: FollowedTreasury): Promise<void> {
  const { port } = treasury
  if (port.finality) await followConfirmed(treasury, port.finality)
  else await retrieveDropped(treasury)
}

/** When this process has last retrieved what is confirmed, by chain and account. */
const followedAt = new WeakMap<Stores['landed'], Map<string, number>>()

/** A chain whose payouts never end has no run of its own for what is confirmed: while it pays, it is retrieved at times. */
export async function followAtTimes(treasury: FollowedTreasury): Promise<void> {
  const { deps, chain, port } = treasury
  const key = `${chain.name} ${port.account}`
  const times = followedAt.get(deps.landed) ?? new Map<string, number>()
  followedAt.set(deps.landed, times)
  const now = deps.clock.now().getTime()
  const last = times.get(key)
  if (last === undefined) times.set(key, now)
  if (last === undefined || now - last < FOLLOW_MS) return
  times.set(key, now)
  await followLanded(treasury)
}

async function followConfirmed(treasury: FollowedTreasury, finality: PayoutFinality): Promise<void> {
  const { deps, chain, port } = treasury
  const of = { chainName: chain.name, account: port.account }
  if (!(await deps.landed.hasAny(of))) return
  await sendMissing(treasury, finality)
  const { final } = await finality.read(chain, [])
  const due = await deps.landed.findUpTo(of, final, BATCH)
  if (due.length === 0) return
  const numbers = new Set(due.map(({ blockNumber }) => blockNumber ?? 0))
  const { hashAt, final: isFinalUpTo } = await finality.read(chain, [...numbers])
  const isThere = ({ blockNumber, blockHash }: TreasuryTransaction): boolean =>
    (blockNumber ?? 0) <= isFinalUpTo && hashAt(blockNumber ?? 0) === blockHash
  const forGood = due.filter(isThere)
  await releaseUnpaid(deps, await deps.payouts.withLegs(await deps.landed.findUnpaid(forGood)))
  await deps.landed.checkAt(forGood, null)
  for (const transaction of due) if (!isThere(transaction)) await findAnew(treasury, transaction)
}

/**
 * Sends the stored bytes of every nonce again that the chain does not count as used, the lowest first: a reorganisation has
 * dropped what was confirmed, and a node's pool may continue to show what waits behind it and never take it. To send what the
 * chain has is harmless, so that a node which is only behind does no harm.
 */
async function sendMissing({ deps, chain, port }: FollowedTreasury, finality: PayoutFinality): Promise<void> {
  const used = await finality.countUsed(chain)
  const from = await deps.landed.findFrom({ chainName: chain.name, account: port.account }, used, BATCH)
  // Where nothing that was confirmed is missing, what is open is the settlement's.
  if (!from.some(({ state }) => state === 'confirmed')) return
  deps.log.warn({ chain: chain.name, count: from.length, nonce: used }, 'confirmed payouts are missing and sent again')
  for (const { raw } of from) await port.send(chain, raw)
}

/** Retrieves a transaction whose block is not the chain's: in another block, or as another version. */
async function findAnew(treasury: FollowedTreasury, transaction: TreasuryTransaction): Promise<void> {
  const { deps, chain, port } = treasury
  const versions = (await deps.landed.findVersions(transaction)).map((version) => version.transaction)
  const statuses = await port.retrieve(chain, versions, deps.payouts.withLegs)
  const landed = statuses.find((status) => status.state === 'confirmed')
  if (landed?.block) {
    const hashes = versions.map(({ hash }) => hash)
    await correctFee(deps, hashes, landed)
    await confirmPaidAfterAll(deps, landed)
    await tellUnpaid(treasury, landed)
    await deps.landed.move(transaction, landed.signed.transaction, landed.block)
    return
  }
  const lost = statuses.find((status) => status.state === 'unexpected' || status.state === 'failed')
  if (!lost || (lost.state === 'unexpected' && !lost.isFinal)) return
  // Nothing is guessed: the payments were told as paid, and these bytes can never land.
  const reason = lost.state === 'unexpected' ? lost.reason : revertedAs(lost.signed.transaction.hash, transaction)
  const [signed] = await deps.payouts.withLegs([transaction])
  for (const { leg } of (signed?.legs ?? []).filter((one) => one.leg.outcome === 'paid')) {
    await tellUndone(treasury, leg, `${transaction.hash}, which pays nobody on ${chain.name} any more: ${reason}`)
  }
  // Last: after a crash before this line the transaction is checked again, and the operator is told; after it neither.
  await deps.landed.checkAt([transaction], null)
}

/** @param hash of the version of the transaction that is on the chain, and reverted there */
function revertedAs(hash: string, transaction: TreasuryTransaction): string {
  return hash === transaction.hash ? 'it reverted in another block' : `${hash} took its nonce, and reverted`
}

/** On another branch a token may have refused whom it has paid before. */
async function tellUnpaid(treasury: FollowedTreasury, { signed, results }: ConfirmedBatch): Promise<void> {
  for (const { leg } of signed.legs) {
    if (leg.outcome !== 'paid' || results[leg.position]?.outcome === 'paid') continue
    await tellUndone(treasury, leg, `${signed.transaction.hash}, and is not in the block that has it now`)
  }
}

async function tellUndone({ deps }: FollowedTreasury, leg: BatchLeg, by: string): Promise<void> {
  const details = `receiver ${leg.splitIndex} was paid by ${by}`
  await deps.alerts.raise({ kind: 'payment_undone', subject: leg.paymentId, details })
}

/** Retrieves what was called dropped. If the chain has taken it, its receiver has been paid by it, or paid twice. */
async function retrieveDropped({ deps, chain, port }: FollowedTreasury): Promise<void> {
  const now = deps.clock.now()
  for (const transaction of await deps.landed.findDropped(
    { chainName: chain.name, account: port.account },
    now,
    BATCH,
  )) {
    const [status] = await port.retrieve(chain, [transaction], deps.payouts.withLegs)
    if (status?.state === 'confirmed') await confirmBatch(deps, status)
    const { createdAt } = transaction
    const isOver =
      status?.state === 'confirmed' ||
      status?.state === 'failed' ||
      now.getTime() - createdAt.getTime() > DROPPED_WATCH_MS
    const next = isOver ? null : new Date(now.getTime() + backoffByAge(createdAt, now, DROPPED))
    await deps.landed.checkAt([transaction], next)
  }
}
