import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { compare } from '../../../kernel/money.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { amountProblem, chargedProblem } from '../../../terms/amount.js'
import { filled, planLengthFailures } from '../../../terms/subscription.js'
import type { SubscriptionInterval } from '../model/subscription.js'
import type { Payment } from '../store/payment.entity.js'
import type { Stores } from '../store/stores.js'
import type { Subscription } from '../store/subscription.entity.js'
import { followTerms } from './agreed-terms.js'
import { findSubscription } from './find-subscription.js'
import { dueAtOf } from './periods.js'

/** What changing a plan needs. */
export type ChangeSubscriptionPlanDeps = Pick<Stores, 'payments' | 'subscriptions'>

/** What a plan becomes; what is absent stays. */
export interface ChangeSubscriptionPlanInput {
  id: string
  planName?: string | null
  /** In the currency of the first payment. */
  amountFrom?: string | null
  interval?: SubscriptionInterval | null
}

/**
 * Changes the plan of a subscription from the next period on; what is registered stays as it is. The next due date stays, and
 * a new interval is counted from it. A payer who would be charged more, or more often, than he agreed to has his card charged only once he
 * has paid such a period himself, or the plan is changed back. What is so already changes nothing.
 * @throws subscription_not_found, subscription_canceled, no_fields_to_update, validation_error
 */
export async function changeSubscriptionPlan(
  deps: ChangeSubscriptionPlanDeps,
  tenant: Tenant,
  { id, ...input }: ChangeSubscriptionPlanInput,
): Promise<Subscription> {
  const subscription = await findSubscription(deps, tenant, { id })
  const first = await deps.payments.find(tenant.id, subscription.firstPaymentId)
  if (!first) throw new Error('a subscription has no first payment')
  if ((input.planName ?? input.amountFrom ?? input.interval) == null) throw new AppError('no_fields_to_update')
  const failures = failuresOf(input, subscription, first)
  if (failures.length > 0) throw validationError(failures)
  const changed = await deps.subscriptions.change(tenant.id, id, async (locked, em) => {
    if (locked.status === 'canceled') throw new AppError('subscription_canceled')
    const before = {
      planName: locked.planName,
      amountFrom: locked.amountFrom ?? first.amountFrom,
      interval: locked.interval,
    }
    const after = {
      planName: input.planName ?? before.planName,
      amountFrom: input.amountFrom ?? before.amountFrom,
      interval: input.interval ?? before.interval,
    }
    const isSame = compare(after.amountFrom, before.amountFrom) === 0
    if (isSame && after.planName === before.planName && after.interval === before.interval) return
    if (after.interval !== before.interval) {
      locked.anchorAt = dueAtOf(locked, locked.nextPeriod)
      locked.anchorPeriod = locked.nextPeriod
    }
    followTerms(locked, before, after)
    await deps.subscriptions.record(em, locked, 'subscription.changed', { ...after, skippedPeriods: 0 })
  })
  return changed ?? subscription
}

function failuresOf(
  { planName, amountFrom }: Omit<ChangeSubscriptionPlanInput, 'id'>,
  before: Subscription,
  first: Payment,
): FieldFailure[] {
  const problem =
    amountFrom == null
      ? undefined
      : (amountProblem(amountFrom, first.fromCurrencySymbol) ?? chargedProblem({ ...first, amountFrom }))
  return [
    ...filled('planName', planName),
    // One of a time without that bound stays.
    ...(planName === before.planName ? [] : planLengthFailures('planName', planName)),
    ...(problem === undefined ? [] : [{ field: 'amountFrom', message: problem }]),
  ]
}
