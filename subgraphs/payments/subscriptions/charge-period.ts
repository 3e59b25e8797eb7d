import { inTransaction, type Database } from '../../../kernel/database.js'
import { AppError } from '../../../kernel/errors.js'
import type { Fence } from '../../../kernel/idempotency-lease.js'
import { takesNoMoney } from '../model/attempt-rules.js'
import { createImmediateCharge } from '../domain/charges/create-immediate-charge.js'
import type { CreateChargeDeps } from '../domain/charges/new-charge.js'
import { hasUncountedDeposit, type HasUncountedDepositDeps } from '../domain/deposits/has-deposit.js'
import { endUnusedWallet, type EndWalletAttemptDeps } from '../domain/transfers/end-wallet-attempt.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { SubscriptionPeriod } from '../store/subscription.entity.js'
import { findCardOnFile, type CardOnFileDeps } from './card-on-file.js'
import { failAttempt, type SubscriptionDeps } from './fail-attempt.js'
import { refusePeriod, type RefusePeriodDeps } from './refuse-period.js'
import type { RenewSubscriptionDeps } from './renew-subscription.js'
import { periodPaymentId } from './period-payment-id.js'
import { isSettledBy, settlePeriod } from './settle-period.js'
import { attemptKey, chargePeriodJob, DISABLED_DELAY_MS, type ChargePeriodJob } from './subscription-jobs.js'

/** What charging a period needs. */
export type ChargePeriodDeps = CardOnFileDeps &
  CreateChargeDeps &
  EndWalletAttemptDeps &
  HasUncountedDepositDeps &
  RefusePeriodDeps &
  SubscriptionDeps &
  Pick<Stores, 'addJobNow'> &
  Pick<RenewSubscriptionDeps, 'productsOf'> & { database: Database }

/** While the payer's own attempt waits for its end, ours is rescheduled; one that nobody ends does not hold it up for ever. */
const OTHER_ATTEMPT_DELAY_MS = 3_600_000
const OTHER_ATTEMPT_MAX_MS = 3 * 24 * 3_600_000
/** While a deposit waits for its confirmations; what comes after the watch of its address does not hold an attempt up. */
const DEPOSIT_DELAY_MS = 600_000
/** While the payer has paid, and his receivers wait. */
const PAID_DELAY_MS = 24 * 3_600_000

/**
 * The job that charges a period's payment to the card on file, once per attempt: the payment's own row lock and the
 * attempt's number decide. What comes of it is followed with the payment (`follow-payment.ts`), also when this process
 * dies, because the attempt is watched like any other.
 * Of a paused subscription nothing is charged, and nothing for a tenant that is disabled or has lost the product: the attempt waits.
 * @throws where nothing was written down yet; the job then comes again
 */
export async function chargePeriod(deps: ChargePeriodDeps, job: ChargePeriodJob): Promise<void> {
  const { tenantId, subscriptionId } = job
  const known = await deps.subscriptions.findPeriod(tenantId, subscriptionId, job.period)
  const payment = known && (await deps.payments.find(tenantId, known.paymentId))
  // In this order: a payment that is as it was read before the period has had no attempt since, see `ifSequence`.
  const period = await deps.subscriptions.findPeriod(tenantId, subscriptionId, job.period)
  const subscription = await deps.subscriptions.find(tenantId, subscriptionId)
  if (!payment || !subscription || subscription.status === 'canceled') return
  if (period?.state !== 'open' || period.attempt !== job.attempt || payment.status === 'success') return
  if (subscription.status === 'paused') return hold(deps, payment, job)
  if (takesNoMoney(payment)) return giveUp(deps, payment, job)
  // Of what has come in part to its address the rest may come, or its tenant decides.
  if (payment.status === 'pending' || payment.receivedAmount) return waitForOther(deps, payment, period)
  if (await hasUncountedDeposit(deps, payment)) return waitForDeposit(deps, period)
  const onFile = await findCardOnFile(deps, subscription)
  if (!onFile) return giveUp(deps, payment, job)
  const { rail, transactionType, card, payer } = onFile
  const product = rail.types[transactionType]?.product
  const products = await deps.productsOf(tenantId)
  if (product === undefined || products?.includes(product) !== true) {
    return deps.addJobNow(chargePeriodJob(period, new Date(deps.clock.now().getTime() + DISABLED_DELAY_MS)))
  }
  const { payerEmail, payerWallet = null, chainName = null } = onFile.payment
  if (await refusePeriod(deps, { period, payment, paidBefore: onFile.payment })) return
  const input = { paymentId: payment.id, transactionType, payerEmail: payerEmail ?? '', payerWallet, chainName }
  const inTime = { id: periodPaymentId(subscription, period.period, period.dueAt), at: period.dueAt }
  const onCard = { input, onFile: { card, payer, inTime } }
  const once = { idempotencyKey: attemptKey(job), ifSequence: payment.sequence, fence: fenceOf(deps, payment, job) }
  try {
    await createImmediateCharge(deps, rail, payment, { ...onCard, ...once })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const present = await deps.payments.find(tenantId, payment.id)
    deps.log.warn({ paymentId: payment.id, subscriptionId, err: error }, 'a period could not be charged')
    if (present?.sequence !== payment.sequence) return
    if (error.code !== 'validation_error') throw error
    // Nothing was asked of the processor, and nothing would be the next time either, unless the tenant mends it.
    await giveUp(deps, payment, job)
  }
}

/**
 * Lets an attempt be written down only while its subscription goes on: that is read long before, and whoever has paused or
 * canceled it since was told that nothing is charged. The payment is locked before its subscription, as where payments are followed.
 */
function fenceOf(deps: ChargePeriodDeps, payment: Payment, { attempt }: ChargePeriodJob): Fence {
  return async (em) => {
    const found = await deps.subscriptions.lockPeriodOf(em, payment)
    const isOurs = found?.period.state === 'open' && found.period.attempt === attempt
    const goesOn = found?.subscription.status === 'active' || found?.subscription.status === 'past_due'
    if (!isOurs || !goesOn) throw new AppError('payment_already_processed')
  }
}

/** While its subscription is paused an attempt waits; where it has just gone on, the attempt comes again. */
async function hold(deps: ChargePeriodDeps, payment: Payment, { attempt }: ChargePeriodJob): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(deps.database, async (em) => {
    const found = await deps.subscriptions.lockPeriodOf(em, payment)
    if (found?.period.state !== 'open' || found.period.attempt !== attempt) return
    if (found.subscription.status === 'paused') found.period.held = true
    else await deps.addJob(em, chargePeriodJob(found.period, now))
  })
}

/** An attempt is on its way already: ours, which is watched, or the payer's own, and two at once could both be paid. */
async function waitForOther(deps: ChargePeriodDeps, payment: Payment, period: SubscriptionPeriod): Promise<void> {
  const charge = payment.chargeId ? await deps.charges.find(payment.tenantId, payment.chargeId) : undefined
  if (charge?.requestKey === attemptKey(period)) return
  const now = deps.clock.now().getTime()
  // That the payer has paid is no refusal, however long the receivers wait; should it be taken back, ours is next.
  if (charge?.state === 'paid') return deps.addJobNow(chargePeriodJob(period, new Date(now + PAID_DELAY_MS)))
  const isOver = now - payment.updatedAt.getTime() > OTHER_ATTEMPT_MAX_MS
  if (isOver && !(await endLeftWallet(deps, payment))) return giveUp(deps, payment, period)
  await deps.addJobNow(chargePeriodJob(period, new Date(isOver ? now : now + OTHER_ATTEMPT_DELAY_MS)))
}

/**
 * Ends what a wallet was asked for and has not sent, or an address to which nothing came: neither ends by itself, and would cost the
 * period its card. The chain is asked first. Gives whether it has ended.
 */
async function endLeftWallet(deps: ChargePeriodDeps, payment: Payment): Promise<boolean> {
  if (payment.status !== 'pending') return false
  try {
    return (await endUnusedWallet(deps, payment)).status === 'error'
  } catch (error) {
    if (error instanceof AppError && error.code === 'payment_already_processed') return false
    throw error
  }
}

/** What has come to the own address of a payment may pay it once it is confirmed: the card is charged if it does not. */
function waitForDeposit({ addJobNow, clock }: ChargePeriodDeps, period: SubscriptionPeriod): Promise<void> {
  return addJobNow(chargePeriodJob(period, new Date(clock.now().getTime() + DEPOSIT_DELAY_MS)))
}

/**
 * An attempt that could not even be made counts as a refusal, each one that is left of what was taken back by force too. Of what its
 * tenant gave back or canceled nothing is owed.
 */
async function giveUp(deps: ChargePeriodDeps, payment: Payment, { attempt }: { attempt: number }): Promise<void> {
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    if (locked.sequence !== payment.sequence) return undefined
    const found = await deps.subscriptions.lockPeriodOf(em, locked)
    if (found?.period.state !== 'open' || found.period.attempt !== attempt) return undefined
    if (isSettledBy(locked, found)) await settlePeriod(deps, em, found)
    else await failAttempt(deps, em, found, 'uncharged')
    return undefined
  })
}
