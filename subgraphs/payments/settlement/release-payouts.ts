import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database, type Transaction } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { isPositive } from '../../../kernel/money.js'
import type { Runtime } from '../model/runtime.js'
import { chargesStore } from '../store/charges.js'
import type { Payment } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import { payoutsStore } from '../store/payouts.js'
import type { Stores } from '../store/stores.js'
import { isAboveCap, isAllTaken, takenOf, type Taken } from './handle-chargeback.js'
import { settlePaymentJob } from './settlement-jobs.js'
import { stopPayoutsJob } from './stop-payouts.js'

/** Money is taken back under this lock: without it a release would not see what is taken at the same moment. */
const LOCK = `select tenant_id as "tenantId", id from payments.payment
  where (tenant_id, id) in (select tenant_id, payment_id from payments.payout where payment_id = ?) for update`

/** What releasing payouts needs. */
export type ReleasePayoutsDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJob'> & {
    charges: Pick<Stores['charges'], 'acceptedOf' | 'load'>
    payouts: Pick<Stores['payouts'], 'lockAll'>
  }

/** A payment's payouts of which an operator has ended what held them. */
export interface ReleasedPayouts {
  /** How many may be paid, now or once their tenant's delay is over. */
  count: number
  /** How many may not, since some of their payer's money was taken back by force meanwhile, or may be. */
  stopped: number
  chainName: string
}

/**
 * Has a payment's receivers paid although something holds them (see `HoldReason`): an operator's decision. Who decides
 * otherwise gives the money back, and what is held is cancelled by itself, unless a transaction of it may have landed.
 * @param em of the transaction that it is part of
 * @returns undefined where none was held
 */
export async function releaseIn(
  deps: ReleasePayoutsDeps,
  em: Transaction,
  paymentId: string,
): Promise<ReleasedPayouts | undefined> {
  const [payment] = await executeIn<Pick<Payment, 'tenantId' | 'id'>>(em, LOCK, [paymentId])
  return payment && releaseLocked(deps, em, payment)
}

/** Locks a payment and its payouts, none of which is held or let go by others from here on. Returns undefined where it has none. */
export async function lockReleased(
  { payouts }: Pick<ReleasePayoutsDeps, 'payouts'>,
  em: Transaction,
  paymentId: string,
): Promise<Pick<Payment, 'tenantId' | 'id'> | undefined> {
  const [payment] = await executeIn<Pick<Payment, 'tenantId' | 'id'>>(em, LOCK, [paymentId])
  if (payment) await payouts.lockAll(em, payment)
  return payment
}

/** The same with the payment's row locked. */
export async function releaseLocked(
  deps: ReleasePayoutsDeps,
  em: Transaction,
  payment: Pick<Payment, 'tenantId' | 'id'>,
): Promise<ReleasedPayouts | undefined> {
  const held = (await deps.payouts.lockAll(em, payment)).filter(
    ({ state, holdReason }) => state === 'held' || (state === 'waiting' && holdReason === 'delay'),
  )
  const [first] = held
  if (!first) return undefined
  const { tenantId, id: paymentId } = payment
  // All of a payment's receivers are paid on one chain.
  const { chainName } = first
  const taken = await readTaken(deps, em, payment)
  const now = deps.clock.now()
  const stopped = held.filter((payout) => taken !== undefined && isStopped(payout, taken))
  for (const payout of held) {
    if (stopped.includes(payout)) Object.assign(payout, { state: 'held', holdReason: 'partly_taken_back' })
    else letGo(payout, now)
  }
  if (stopped.length > 0) await deps.addJob(em, stopPayoutsJob({ tenantId, paymentId }))
  const count = held.length - stopped.length
  if (count > 0) await deps.addJob(em, settlePaymentJob(chainName, paymentId))
  return { count, stopped: stopped.length, chainName }
}

async function readTaken(
  { charges }: ReleasePayoutsDeps,
  em: Transaction,
  payment: Pick<Payment, 'tenantId' | 'id'>,
): Promise<Taken | undefined> {
  const accepted = await charges.acceptedOf(em, payment)
  if (!accepted) return undefined
  return takenOf(accepted, await charges.load(em, { tenantId: payment.tenantId, id: accepted.chargeId }))
}

/**
 * Whether a payout is not to be paid though an operator lets it go of what holds it: nothing is left of its payer's money, or somebody wants
 * a part of that by force, about which the operator of a cap was not asked.
 */
function isStopped(payout: Payout, taken: Taken): boolean {
  return isAllTaken(taken) || (isAboveCap(payout) && (isPositive(taken.taken) || isPositive(taken.undecided)))
}

/** What was held beside its tenant's delay waits for the end of that; a release of what only the delay holds ends it. */
function letGo(payout: Payout, now: Date): void {
  const { state, delayedUntil } = payout
  const isDelayed = state === 'held' && delayedUntil != null && delayedUntil > now
  const holdReason = payout.holdReason === 'wallet_refused' ? 'released' : null
  const freed = { state: 'waiting', notBefore: now, delayedUntil: null, holdReason } satisfies Partial<Payout>
  Object.assign(payout, freed, isDelayed && { notBefore: delayedUntil, delayedUntil, holdReason: 'delay' })
}

/** The same by itself. @returns how many payouts may be paid */
export async function releasePayouts(db: Database, clock: Clock, paymentId: string): Promise<number> {
  const deps: ReleasePayoutsDeps = {
    clock,
    charges: chargesStore(db),
    payouts: payoutsStore(db),
    addJob: (em, job) => addJob(em, clock, job),
  }
  return (await inTransaction(db, (em) => releaseIn(deps, em, paymentId)))?.count ?? 0
}
