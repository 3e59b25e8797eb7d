import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChain } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { storeBroadcast, type ExecuteOnChainDeps } from './execute-on-chain.js'
import { recordPaidTwice, type PaidTwiceDeps } from './record-paid-twice.js'
import { findBuilt, findSignedVersion } from './signed-version.js'
import { again, WATCH_DROPPED, type BroadcastJob } from './transfer-jobs.js'

/** What watching a dropped transaction needs. */
export type WatchDroppedDeps = EnabledChains &
  ExecuteOnChainDeps &
  PaidTwiceDeps &
  Pick<Runtime, 'log'> &
  Pick<Stores, 'addJobNow' | 'alerts'>

const BACKOFF = { shortestMs: 300_000, longestMs: 6 * 3_600_000 }
/** After that a block hardly takes it any more. */
const WATCH_MS = 30 * 24 * 3_600_000

/**
 * The job that looks whether a block takes a transaction after all that was dropped, or has failed in a block that is not final: anyone
 * who has a signed transaction can send it. It pays the payment then; where that was paid by another, the payer has paid twice, and an operator is told.
 */
export async function watchDropped(deps: WatchDroppedDeps, job: BroadcastJob): Promise<void> {
  const broadcast = await deps.broadcasts.find(job.tenantId, job.paymentId, job.hash)
  if (!broadcast) return
  const isOver = await recognise(deps, broadcast).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ paymentId: job.paymentId, err: error }, 'a transaction that was dropped could not be retrieved')
    return false
  })
  const now = deps.clock.now()
  if (isOver || now.getTime() - broadcast.createdAt.getTime() > WATCH_MS) return
  await deps.addJobNow(again(WATCH_DROPPED, job, now, backoffByAge(broadcast.createdAt, now, BACKOFF)))
}

/** Returns whether there is nothing left to look for. */
async function recognise(deps: WatchDroppedDeps, broadcast: Broadcast): Promise<boolean> {
  const family = deps.settings.chains.find(({ name }) => name === broadcast.chainName)?.family
  const onChain = family && deps.onChain[family]
  if (!onChain) return false
  const minedAt = await onChain.minedAt(broadcast.chainName, broadcast)
  // No block drops any more what a final one has reverted.
  if (!minedAt) return (await onChain.finalityOf(broadcast, broadcast.hash)) === 'reverted'
  const payment = await deps.payments.find(broadcast.tenantId, broadcast.paymentId)
  if (!payment) return true
  try {
    const stored = await storeBroadcast(deps, payment, await findSignedVersion(deps, payment, broadcast.raw), 'node')
    return stored.state !== 'final' || (await isFinal(onChain, broadcast))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_payment_status') throw error
    const version = await findBuilt(deps, payment, broadcast.raw)
    const recorded = version ? await recordPaidTwice(deps, payment, version) : 'open'
    if (recorded !== 'open') return true
    await deps.alerts.raise({
      kind: 'paid_twice',
      subject: broadcast.paymentId,
      details: `${broadcast.hash} was mined as well`,
    })
    // The other attempt may fail still.
    return payment.status === 'success' && !version
  }
}

/** Whether no chain drops the block any more that has a transaction, or what took its place. */
async function isFinal(onChain: OnChain, broadcast: Broadcast): Promise<boolean> {
  const finality = await onChain.finalityOf(broadcast, broadcast.hash)
  return finality !== 'waiting' && finality !== 'missing'
}
