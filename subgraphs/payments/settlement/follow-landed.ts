import { AppError } from '../../../kernel/errors.js'
import type { TreasuryTransaction } from '../store/payout.entity.js'
import type { Stores } from '../store/stores.js'
import { backoffByAge } from '../model/backoff.js'
import { endAnew, undoLegs } from './changed-legs.js'
import { bookFailed, confirmBatch, correctFee } from './confirm-batch.js'
import type { PayoutFinality } from './payout-chain.js'
import type { Treasury, TreasuryDeps } from './treasury.js'
import { releaseUnpaid } from './unpaid-legs.js'

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
  if (port.finality) await followConfirmed(treasury, port.finality, port.finality.read)
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
  const { finality } = port
  if (finality) await followConfirmed(treasury, finality, readIfTold(treasury, finality))
  else await followLanded(treasury)
}

/** What reads up to where a chain is final; undefined where that is not to be had. */
type ReadFinality = (
  ...asked: Parameters<PayoutFinality['read']>
) => Promise<Awaited<ReturnType<PayoutFinality['read']>> | undefined>

/**
 * Whether a block is final is nothing that a payout waits for: it goes on where the nodes do not tell, and what was confirmed stays to
 * be retrieved. Whatever else is asked of them beside it is: behind a nonce that is missing nothing may be signed.
 */
function readIfTold({ deps }: FollowedTreasury, finality: PayoutFinality): ReadFinality {
  return (chain, blockNumbers) =>
    finality.read(chain, blockNumbers).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'confirm_rpc_unavailable') throw error
      deps.log.warn({ chain: chain.name, details: error.details }, 'nobody tells which payouts are final')
      return undefined
    })
}

async function followConfirmed(
  treasury: FollowedTreasury,
  finality: PayoutFinality,
  read: ReadFinality,
): Promise<void> {
  const { deps, chain, port } = treasury
  const of = { chainName: chain.name, account: port.account }
  if (!(await deps.landed.hasAny(of))) return
  await sendMissing(treasury, finality)
  const before = await read(chain, [])
  const due = before ? await deps.landed.findUpTo(of, before.final, BATCH) : []
  if (due.length === 0) return
  const numbers = new Set(due.map(({ blockNumber }) => blockNumber ?? 0))
  const now = await read(chain, [...numbers])
  if (!now) return
  const { hashAt, final: isFinalUpTo } = now
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
  const hashes = versions.map(({ hash }) => hash)
  const landed = statuses.find((status) => status.state === 'confirmed')
  if (landed?.block) {
    await correctFee(deps, hashes, landed)
    await endAnew(deps, landed)
    await deps.landed.move(transaction, landed.signed.transaction, landed.block)
    return
  }
  const lost = statuses.find((status) => status.state === 'unexpected' || status.state === 'failed')
  if (!lost || (lost.state === 'unexpected' && !lost.isFinal)) return
  // These bytes can never land.
  const isProvenUnpaid = lost.state === 'failed'
  const reason = lost.state === 'failed' ? revertedAs(lost.signed.transaction.hash, transaction) : lost.reason
  if (lost.state === 'failed') await correctFee(deps, hashes, lost)
  const [signed] = await deps.payouts.withLegs([transaction])
  if (signed) await undoLegs(deps, signed, { isProvenUnpaid, reason })
  // Last: after a crash before this line the transaction is checked again, and the operator is told; after it neither.
  await deps.landed.checkAt([transaction], null)
}

/** @param hash of the version of the transaction that is on the chain, and reverted there */
function revertedAs(hash: string, transaction: TreasuryTransaction): string {
  return hash === transaction.hash ? 'it reverted in another block' : `${hash} took its nonce, and reverted`
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
    // Whom it holds it holds on: an operator may have paid them by hand.
    if (status?.state === 'failed') await bookFailed(deps, status)
    const { createdAt } = transaction
    const isOver =
      status?.state === 'confirmed' ||
      status?.state === 'failed' ||
      now.getTime() - createdAt.getTime() > DROPPED_WATCH_MS
    const next = isOver ? null : new Date(now.getTime() + backoffByAge(createdAt, now, DROPPED))
    await deps.landed.checkAt([transaction], next)
  }
}
