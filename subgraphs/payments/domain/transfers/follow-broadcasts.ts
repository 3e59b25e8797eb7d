import type { Chain } from '../../../../chains/chain.js'
import type { Finality } from '../../../../chains/sender/evm-signed.js'
import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import { MISSING_MAX_MS } from '../../model/missing-broadcast.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains, SplitSteps, OnChain } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { isCertainRefusal, SPLIT_REFUSALS } from './settle-split.js'

/** What following broadcasts to finality needs. */
export type FollowBroadcastsDeps = OnChains &
  SplitSteps &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'alerts' | 'broadcasts' | 'payments'>

const BACKOFF = { shortestMs: 5_000, longestMs: 300_000 }
const BATCH = 100
/**
 * So many are looked at together, by one read of their blocks; few, as each takes some calls of the nodes' budgets before others where its
 * block is not known to this process.
 */
const TOGETHER = 20
/** After this long a round begins no more looks; the next one goes on with those that are due first. */
const ROUND_MS = 20_000
/** How long the looks of a round are its own: another begins each minute, whatever becomes of this one. */
const TAKEN_MS = 60_000
/** How long what no node shows is sent again, once an operator knows of it. */
const MISSING_END_MS = 86_400_000

/**
 * Looks again at payers' transactions whose payments were told that they are paid, until their blocks are final. One that
 * the chain has dropped is sent again in the same bytes; where those can never land, an operator is told. What a split's
 * address holds by then is shared out again.
 * @throws what the first of them failed by, after the others had their turn; sooner where the chain cannot be asked about any
 */
export async function followBroadcasts(deps: FollowBroadcastsDeps, chain: Chain): Promise<void> {
  const onChain = deps.onChain[chain.family]
  if (!onChain) return
  const now = deps.clock.now()
  const failures: unknown[] = []
  for (let from = 0; from < BATCH; from += TOGETHER) {
    const until = new Date(deps.clock.now().getTime() + TAKEN_MS)
    const part = await deps.broadcasts.takeUnfinal(chain.name, now, TOGETHER, until)
    const failed = await followTogether(deps, onChain, part, now)
    failures.push(...failed)
    // Also where none is due any more.
    if (failed.length === part.length || deps.clock.now().getTime() - now.getTime() > ROUND_MS) break
  }
  // A mistake of ours before what nodes did not tell.
  if (failures.length > 0) throw failures.find((failure) => !(failure instanceof AppError)) ?? failures[0]
}

/** @returns what some of them failed by */
async function followTogether(
  deps: FollowBroadcastsDeps,
  onChain: OnChain,
  broadcasts: readonly Broadcast[],
  now: Date,
): Promise<unknown[]> {
  const looks = await Promise.allSettled(broadcasts.map((broadcast) => look(deps, onChain, broadcast)))
  const failures: unknown[] = []
  // One after the other: what is shared out takes connections of its own.
  for (const [index, broadcast] of broadcasts.entries()) {
    const seen = looks[index]
    const acting =
      seen?.status === 'fulfilled' ? actOn(deps, onChain, broadcast, seen.value) : Promise.reject(seen?.reason)
    const [outcome] = await Promise.allSettled([acting])
    const isRefused = outcome.status === 'rejected' && (await tellRefused(deps, broadcast, outcome.reason, now))
    const stands = outcome.status === 'fulfilled' ? outcome.value : isRefused ? 'refused' : 'unseen'
    // Before its failure is told: the one that is due first must not keep all others of its chain from their turn.
    await noteLook(deps, broadcast, stands, now)
    if (outcome.status === 'rejected' && !isRefused) failures.push(outcome.reason)
  }
  return failures
}

/**
 * Where a transaction stands after a look: to be looked at again or not, shown by no node, one whose split is refused, or as before where
 * nothing was seen of it.
 */
type Standing = 'open' | 'over' | 'missing' | 'refused' | 'unseen'

/** Notes when to look again, and since when nobody shows it; after a while an operator is told, until somebody does. */
async function noteLook(
  { alerts, broadcasts }: FollowBroadcastsDeps,
  broadcast: Broadcast,
  stands: Standing,
  now: Date,
): Promise<void> {
  const { chainName, createdAt, hash, paymentId: subject } = broadcast
  const { missingSince: since, refusedSince: refused } = broadcast
  const missingSince = { missing: since ?? now, unseen: since, refused: null, open: null, over: null }[stands]
  const refusedSince = { missing: null, unseen: refused, refused: refused ?? now, open: null, over: null }[stands]
  const missingMs = stands === 'missing' ? now.getTime() - (since ?? now).getTime() : 0
  const isOver = stands === 'over' || missingMs >= MISSING_END_MS
  const begins = `${hash} paid and is no longer on ${chainName}: no node`
  const undone = { kind: 'payment_undone', subject, details: `${begins} takes it again` } as const
  // Before the look is noted: a process that dies between comes to both again.
  if (missingMs >= MISSING_MAX_MS) await alerts.raiseOnce(undone, since ?? now)
  if (since && !missingSince) await alerts.clear('payment_undone', subject, begins)
  const checkAt = isOver ? null : new Date(now.getTime() + backoffByAge(createdAt, now, BACKOFF))
  await broadcasts.noteLook(broadcast, { checkAt, missingSince, refusedSince })
}

/**
 * Tells of a split that cannot be shared out again, which has no job any more. One refusal says little: nodes are apart, and one that has
 * not seen yet that it was shared out is answered for by another, which has.
 * @returns whether it is one: the chain may not be able to be asked now
 */
async function tellRefused(
  { alerts }: FollowBroadcastsDeps,
  { paymentId: subject, refusedSince }: Broadcast,
  error: unknown,
  now: Date,
): Promise<boolean> {
  if (!(error instanceof AppError) || !SPLIT_REFUSALS.includes(error.code)) return false
  const { code, details } = error
  if (isCertainRefusal(error, refusedSince ?? now, now)) {
    await alerts.raiseOnce({ kind: 'split_failed', subject, details: details ?? code })
  }
  return true
}

/** A payment, and what the chain has made of the transaction that paid it. */
interface Look {
  payment: Payment
  fate: Finality
}

/** @returns true where there is nothing to follow: the payment waits for another transaction by now */
async function look(deps: FollowBroadcastsDeps, onChain: OnChain, broadcast: Broadcast): Promise<Look | true> {
  const payment = await deps.payments.find(broadcast.tenantId, broadcast.paymentId)
  if (payment?.signedTransaction !== broadcast.raw) return true
  return { payment, fate: await onChain.finalityOf(broadcast, payment.tidHash ?? broadcast.hash) }
}

async function actOn(
  deps: FollowBroadcastsDeps,
  onChain: OnChain,
  broadcast: Broadcast,
  seen: Look | true,
): Promise<Standing> {
  if (seen === true) return 'over'
  const { payment, fate } = seen
  if (fate === 'waiting') return 'open'
  if (fate === 'final') {
    // One that is being shared out has a job of its own, which ends when all of it has arrived.
    if (payment.status !== 'success' || onChain.settlementOf(payment).kind !== 'split') return 'over'
    // Its money may have come after the block in which a dropped distribution ran.
    if ((await deps.settleStep(payment)).kind !== 'done') return 'open'
    await deps.alerts.clear('split_failed', payment.id)
    return 'over'
  }
  if (fate === 'replaced' || fate === 'reverted') {
    const why = fate === 'replaced' ? 'another transaction took its nonce' : 'it reverted where it was sent again'
    const details = `${broadcast.hash} paid and is no longer on ${broadcast.chainName}: ${why}`
    await deps.alerts.raise({ kind: 'payment_undone', subject: broadcast.paymentId, details })
    return 'over'
  }
  deps.log.warn(
    { paymentId: broadcast.paymentId, hash: broadcast.hash },
    "a payer's transaction is missing and sent again",
  )
  // What a pool keeps may land still.
  return (await onChain.sendAgain(broadcast)) === 'sent' ? 'open' : 'missing'
}
