import { createHash } from 'node:crypto'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { assertProducts } from '../../../terms/methods.js'
import { whatLacks } from '../../../terms/payable.js'
import type { CheckRegistrationDeps } from '../domain/registration/check-payment-input.js'
import { orderTerms } from '../domain/registration/order-terms.js'
import type { Runtime } from '../model/runtime.js'
import type { SubscriptionConfig } from '../model/subscription.js'
import type { DefaultIntegration } from '../peers/default-integration.js'
import type { OrderTemplate } from '../peers/order-template.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import type { SubscriptionDeps } from './fail-attempt.js'
import { askPayer } from './mails/ask-payer.js'
import { newSubscription } from './new-subscription.js'
import { renewJob } from './subscription-jobs.js'

/** What starting a trial needs. */
export type StartTrialDeps = CheckRegistrationDeps &
  SubscriptionDeps &
  Pick<Runtime, 'newId'> &
  Pick<Stores, 'payments'> & {
    database: Database
    /** The order that the request's tenant names. Throws order_not_found. */
    orderTemplate: (id: string) => Promise<OrderTemplate>
    defaultIntegration: () => Promise<DefaultIntegration | null>
  }

/** Who tries what, for how long. */
export interface StartTrialInput {
  orderCode: string
  payerEmail: string
  /** From 1 to 730. */
  trialDays: number
}

const TRIAL_DAYS_MAX = 730
const DAY_MS = 24 * 3_600_000

/**
 * Starts a subscription of an order with a trial: nothing is paid until it ends. The payment of the first period is registered now, at
 * the price of now; when the trial ends its payer is asked by e-mail to pay it, and reminded. Where it is not paid by the
 * next due date the subscription is past due, and nothing more is registered.
 * A payer has one trial of an order: while it lasts, or once it was paid, a second call answers the same subscription.
 * @throws validation_error with the bad field, product_disabled, order_not_found, order_inactive
 */
export async function startTrial(deps: StartTrialDeps, tenant: Tenant, input: StartTrialInput): Promise<Subscription> {
  const { trialDays } = input
  if (trialDays < 1 || trialDays > TRIAL_DAYS_MAX) {
    throw validationError([{ field: 'trialDays', message: `must be 1 to ${TRIAL_DAYS_MAX}` }])
  }
  if (!deps.payerMails) throw refused('payerEmail', 'cannot be asked: no e-mails are sent here')
  const order = await deps.orderTemplate(input.orderCode)
  const config = checkedConfig(deps, tenant, order)
  const integration = order.tenantData ?? (await deps.defaultIntegration())
  const payerEmail = input.payerEmail.trim()
  const key = createHash('sha256')
    .update(JSON.stringify([order.id, payerEmail.toLowerCase()]))
    .digest('hex')
  return inTransaction(deps.database, async (em) => {
    const earlier = await deps.subscriptions.lockTrial(em, tenant.id, key)
    if (earlier?.status === 'canceled') throw refused('payerEmail', 'has had a trial of this order')
    if (earlier) return earlier
    const now = deps.clock.now()
    const payment = await deps.payments.add(em, {
      ...orderTerms(order),
      ...{ tenantId: tenant.id, id: deps.newId(), createdAt: now, metadata: null, subscriptionConfig: null },
      ...{ successUrl: order.successUrl, cancelUrl: order.cancelUrl },
      publicClientId: integration?.publicClientId ?? null,
      webhookUrl: integration?.webhookUrl ?? null,
    })
    payment.payerEmail = payerEmail
    const endsAt = new Date(now.getTime() + trialDays * DAY_MS)
    const trial = { dueAt: endsAt, anchorAt: endsAt, nextPeriod: 1, trialKey: key, trialEndsAt: endsAt }
    const about = { tenantId: tenant.id, id: deps.newId(), orderCode: order.id, paymentId: payment.id, ...trial }
    const begun = newSubscription(about, config, now)
    const subscription = deps.subscriptions.add(em, begun.subscription)
    const { tenantId, id: subscriptionId } = subscription
    const period = deps.subscriptions.addPeriod(em, {
      ...{ tenantId, subscriptionId, period: 0, paymentId: payment.id, dueAt: endsAt, createdAt: now },
      ...{ state: 'open' as const, attempt: 1, refusals: 0, technicalFailures: 0, held: false, nextAttemptAt: null },
    })
    await deps.subscriptions.record(em, subscription, 'subscription.started', {})
    await askPayer(deps, em, period, { reason: 'due', now: endsAt })
    await deps.addJob(em, renewJob(subscription, begun.nextPaymentAt))
    return subscription
  })
}

/** The subscription's terms in an order whose payments can be made. */
function checkedConfig(deps: StartTrialDeps, tenant: Tenant, order: OrderTemplate): SubscriptionConfig {
  if (!order.active) throw new AppError('order_inactive')
  const config = order.subscriptionPaymentConfig
  if (order.gatewayMethod !== 'SUBS' || !config) throw refused('orderCode', 'is not a subscription')
  assertProducts(tenant, order.paymentMethodAllowed)
  const lack = whatLacks(deps.settings.chains, order)
  if (lack !== undefined) throw refused('orderCode', `cannot be paid: ${lack}`)
  return config
}

function refused(field: string, message: string): Error {
  return validationError([{ field, message }])
}
