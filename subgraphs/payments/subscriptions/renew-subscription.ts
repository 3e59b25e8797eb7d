import type { Transaction } from '../../../kernel/database.js'
import type { Product } from '../../../kernel/tenant.js'
import type { NewPaymentTerms } from '../domain/registration/new-payment.js'
import { orderTerms } from '../domain/registration/order-terms.js'
import type { CancelReason } from '../model/subscription.js'
import type { OrderTemplate } from '../peers/order-template.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { Subscription, SubscriptionPeriod } from '../store/subscription.entity.js'
import { findCardOnFile, type CardOnFileDeps } from './card-on-file.js'
import type { SubscriptionDeps } from './fail-attempt.js'
import { isPaidAndWaiting } from './is-paid-and-waiting.js'
import { askPayer } from './mails/ask-payer.js'
import { makePastDue } from './mails/fall-past-due.js'
import { periodPaymentId } from './period-payment-id.js'
import { dueAtOf, periodAfter } from './periods.js'
import { chargePeriodJob, DISABLED_DELAY_MS, renewJob, type RenewJob } from './subscription-jobs.js'

/** What renewing a subscription needs. */
export type RenewSubscriptionDeps = CardOnFileDeps &
  SubscriptionDeps &
  Pick<Stores, 'addJobNow'> & {
    /** An order of any tenant; undefined where there is none. */
    orderOf: (tenantId: string, id: string) => Promise<OrderTemplate | undefined>
    /** The products that a tenant has now; undefined of one that is disabled. */
    productsOf: (tenantId: string) => Promise<readonly Product[] | undefined>
  }

/**
 * The job of a due date: registers the period's payment and has it charged, or ends the subscription where its order does
 * not go on. After a time in which nothing ran only the latest period that is due gets a payment: nobody is charged for
 * several at once.
 * @throws where orders or accounts cannot be read; the job then comes again
 */
export async function renewSubscription(deps: RenewSubscriptionDeps, job: RenewJob): Promise<void> {
  const subscription = await deps.subscriptions.find(job.tenantId, job.subscriptionId)
  if (subscription?.status !== 'active' || !subscription.nextPaymentAt) return
  if (subscription.nextPaymentAt > deps.clock.now()) {
    // The process that timed the job may have a clock that is a little ahead of this one's.
    await deps.addJobNow(renewJob(subscription, subscription.nextPaymentAt))
    return
  }
  const { tenantId, orderCode } = subscription
  const order = orderCode == null ? await ownTerms(deps, subscription) : await deps.orderOf(tenantId, orderCode)
  const reason = endOf(order)
  if (reason !== undefined || !order) await endSubscription(deps, subscription, reason ?? 'order_not_found')
  else await registerPeriod(deps, subscription, order)
}

/** The terms of a subscription without an order: those of its first payment, which nobody changes. */
async function ownTerms(
  deps: RenewSubscriptionDeps,
  { tenantId, firstPaymentId }: Subscription,
): Promise<OrderTemplate> {
  const first = await deps.payments.find(tenantId, firstPaymentId)
  if (!first) throw new Error('a subscription has no first payment')
  const { paymentMethodAllowed, splitPaymentConfig, fromCurrencySymbol, amountFrom, toCurrencySymbol, onRamp } = first
  return {
    ...{
      id: '',
      sequence: null,
      active: true,
      gatewayMethod: 'SUBS',
      tenantData: null,
      subscriptionPaymentConfig: null,
    },
    ...{ paymentMethodAllowed, splitPaymentConfig, fromCurrencySymbol, amountFrom, toCurrencySymbol, onRamp },
    toChain: first.toChain ?? null,
    ...{ successUrl: first.successUrl ?? null, cancelUrl: first.cancelUrl ?? null },
  }
}

/** Why an order's subscriptions do not go on; undefined where they do. */
function endOf(order: OrderTemplate | undefined): CancelReason | undefined {
  if (!order) return 'order_not_found'
  if (!order.active) return 'order_inactive'
  return order.gatewayMethod === 'SUBS' ? undefined : 'order_not_subscription'
}

/** Ends a subscription. A second time it changes nothing. */
export function endSubscription(
  deps: Pick<Stores, 'subscriptions'>,
  { tenantId, id }: Pick<Subscription, 'tenantId' | 'id'>,
  cancelReason: CancelReason,
): Promise<Subscription | undefined> {
  return deps.subscriptions.change(tenantId, id, async (locked, em) => {
    if (locked.status === 'canceled') return
    const change = { status: 'canceled' as const, cancelReason, nextPaymentAt: null, nextAttemptAt: null }
    await deps.subscriptions.record(em, locked, 'subscription.canceled', change)
  })
}

async function registerPeriod(
  deps: RenewSubscriptionDeps,
  subscription: Subscription,
  order: OrderTemplate,
): Promise<void> {
  const { tenantId, id, firstPaymentId } = subscription
  const first = await deps.payments.find(tenantId, firstPaymentId)
  if (!first) throw new Error('a subscription has no first payment')
  const now = deps.clock.now()
  const products = await deps.productsOf(tenantId)
  // A disabled tenant asks nobody for money: what is due is registered once it is enabled again.
  if (!products) return deps.addJobNow(renewJob(subscription, new Date(now.getTime() + DISABLED_DELAY_MS)))
  const canCharge = await mayCharge(deps, { subscription, order, products })
  await deps.subscriptions.change(tenantId, id, async (locked, em) => {
    const latest = periodAfter(locked, now) - 1
    // What the payer has not agreed to, he is asked for.
    const isCharged = canCharge && locked.consentFrom == null
    // Another worker may have registered it.
    if (locked.status !== 'active' || locked.nextPeriod > latest) return
    const tried = locked.trialEndsAt ? await deps.subscriptions.periodIn(em, locked, 0) : undefined
    // Who has not paid after a trial is not asked for more.
    if (tried?.state === 'open' && !(await isPaid(deps, em, tried)))
      return makePastDue(deps, em, { subscription: locked, period: tried })
    const dueAt = dueAtOf(locked, latest)
    const createdAt = registeredAt(dueAt, now)
    const payment = await deps.payments.add(em, {
      ...periodTerms(order, first),
      amountFrom: locked.amountFrom ?? first.amountFrom,
      tenantId,
      id: periodPaymentId(locked, latest, createdAt),
      createdAt,
    })
    const nextAttemptAt = isCharged ? now : null
    const period = deps.subscriptions.addPeriod(em, {
      ...{ tenantId, subscriptionId: id, period: latest, paymentId: payment.id, dueAt, createdAt: now },
      ...{ state: 'open' as const, attempt: 1, refusals: 0, technicalFailures: 0, held: false, nextAttemptAt },
    })
    const skippedPeriods = latest - locked.nextPeriod
    const nextPaymentAt = dueAtOf(locked, latest + 1)
    locked.nextPeriod = latest + 1
    const about = { paymentId: payment.id, dueAt, refusals: 0, skippedPeriods, nextPaymentAt }
    const change = { ...about, nextAttemptAt }
    await deps.subscriptions.record(em, locked, 'subscription.payment_registered', change)
    await deps.addJob(em, renewJob(locked, nextPaymentAt))
    if (isCharged) await deps.addJob(em, chargePeriodJob(period, now))
    else await askPayer(deps, em, period, { reason: 'due', now })
  })
}

/** The link by which a payer pays is good for a week from the registration. */
const AS_OF_DUE_MAX_MS = 3 * 24 * 3_600_000

/**
 * As of when a period's payment counts as registered: when it was due, unless that is long ago. A database that went back to a backup
 * registers it again under the same id by that, so that the processor knows what was charged for it, and what the treasury has
 * paid for it in the lost time was paid after it was registered. Under another id the processor is asked for that one too (`charge-period.ts`).
 */
function registeredAt(dueAt: Date, now: Date): Date {
  return now.getTime() - dueAt.getTime() <= AS_OF_DUE_MAX_MS ? dueAt : now
}

/** Whether a period's money is in: its payment may succeed weeks later. */
async function isPaid(
  deps: RenewSubscriptionDeps,
  em: Transaction,
  { tenantId, paymentId }: SubscriptionPeriod,
): Promise<boolean> {
  const payment = await deps.payments.findIn(em, tenantId, paymentId)
  return payment !== undefined && isPaidAndWaiting(deps, payment, em)
}

/** What the payer agreed to is the price, until the plan changes; everything else is the tenant's to change, and taken from the order as it is. */
function periodTerms(order: OrderTemplate, first: Payment): NewPaymentTerms {
  const { fromCurrencySymbol, amountFrom, publicClientId, webhookUrl, metadata, executorId } = first
  const orderCode = first.orderCode ?? null
  const agreed = { fromCurrencySymbol, amountFrom, publicClientId, webhookUrl, metadata, executorId, orderCode }
  return { ...orderTerms(order), ...agreed, subscriptionConfig: null }
}

/** Whether there is a card on file, and order and tenant still take cards. */
async function mayCharge(
  deps: RenewSubscriptionDeps,
  { subscription, order, products }: { subscription: Subscription; order: OrderTemplate; products: readonly Product[] },
): Promise<boolean> {
  const found = subscription.charge ? await findCardOnFile(deps, subscription) : undefined
  if (!found) return false
  const { rail, transactionType } = found
  const type = rail.types[transactionType]
  return type !== undefined && order.paymentMethodAllowed[type.method] === true && products.includes(type.product)
}
