import { compare } from '../../../kernel/money.js'
import type { SubscriptionInterval } from '../model/subscription.js'
import type { Subscription } from '../store/subscription.entity.js'

/** What a payer is charged, and how often. */
export interface PlanTerms {
  amountFrom: string
  interval: SubscriptionInterval
}

/** From rare to often. */
const OFTEN: Readonly<Record<SubscriptionInterval, number>> = { yearly: 0, monthly: 1, weekly: 2 }

/**
 * Follows a change of a locked subscription's terms. Who would be charged more, or more often, than he agreed to has his card charged
 * again once he has paid such a period himself, or the terms are within what he agreed to again.
 */
export function followTerms(subscription: Subscription, before: PlanTerms, after: PlanTerms): void {
  const agreed = subscription.consentFrom == null ? before : agreedTerms(subscription)
  if (agreed && !exceed(after, agreed)) forgetAgreed(subscription)
  else if (exceed(after, before)) {
    subscription.consentFrom = subscription.nextPeriod
    if (agreed) keepAgreed(subscription, agreed)
  }
}

/**
 * The payer of a locked subscription has paid a period himself: he agrees to its terms, and to all that are within them.
 * @param terms of that period as it was registered
 */
export function agreeTo(subscription: Subscription, period: number, terms: PlanTerms): void {
  if (subscription.consentFrom == null) return
  // What was changed since has raised nothing: that would ask for consent from a later period on.
  if (period >= subscription.consentFrom) return forgetAgreed(subscription)
  const agreed = agreedTerms(subscription)
  if (!agreed || !exceed(terms, agreed)) return
  const { amountFrom, interval } = subscription
  if (amountFrom != null && !exceed({ amountFrom, interval }, terms)) forgetAgreed(subscription)
  else keepAgreed(subscription, terms)
}

/** What the payer agreed to before the terms that wait; undefined where they were changed before that was written down. */
function agreedTerms({ agreedAmountFrom, agreedInterval }: Subscription): PlanTerms | undefined {
  if (agreedAmountFrom == null || agreedInterval == null) return undefined
  return { amountFrom: agreedAmountFrom, interval: agreedInterval }
}

function keepAgreed(subscription: Subscription, { amountFrom, interval }: PlanTerms): void {
  subscription.agreedAmountFrom = amountFrom
  subscription.agreedInterval = interval
}

function forgetAgreed(subscription: Subscription): void {
  Object.assign(subscription, { consentFrom: null, agreedAmountFrom: null, agreedInterval: null })
}

/** Whether terms charge a payer more, or more often, than others. */
function exceed(terms: PlanTerms, others: PlanTerms): boolean {
  return compare(terms.amountFrom, others.amountFrom) > 0 || OFTEN[terms.interval] > OFTEN[others.interval]
}
