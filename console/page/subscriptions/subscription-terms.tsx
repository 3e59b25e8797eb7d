import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, money } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import type { ShownSubscription } from './shown.js'

/** What is agreed, and what comes next. */
export function SubscriptionTerms({ subscription }: { subscription: ShownSubscription }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.subscriptions
  const at = (time: string | null): string | null => time && moment(time, language)
  const { orderCode, cancelReason, refusals, retryCount, skippedPeriods, amountFrom, firstPayment } = subscription
  const { charge, hasCardOnFile, awaitsConsent } = subscription
  const charged = hasCardOnFile === false ? texts.noCard : awaitsConsent ? texts.awaitsConsent : t.common.yes
  return (
    <Section title={t.payment.summary} test="terms">
      <Terms
        of={[
          ['Id', <span className="id">{subscription.id}</span>],
          [t.common.created, at(subscription.createdAt)],
          [texts.every, texts.intervals[subscription.interval]],
          [texts.price, amountFrom && firstPayment && money(amountFrom, firstPayment.fromCurrencySymbol, language)],
          [texts.charge, charge ? charged : t.common.no],
          [texts.trialEnds, at(subscription.trialEndsAt)],
          [texts.emailsStopped, at(subscription.emailsStoppedAt)],
          [texts.due, at(subscription.dueAt)],
          [texts.nextAttempt, at(subscription.nextAttemptAt)],
          [texts.next, at(subscription.nextPaymentAt)],
          [texts.refusals, refusals > 0 && `${refusals} / ${retryCount + 1}`],
          [texts.skipped, skippedPeriods > 0 && String(skippedPeriods)],
          [texts.cancelReason, cancelReason && texts.cancelReasons[cancelReason]],
          [
            t.payment.order,
            orderCode && (
              <RoutedAnchor to="/" search={{ order: orderCode }} size="sm" className="id">
                {orderCode}
              </RoutedAnchor>
            ),
          ],
        ]}
      />
    </Section>
  )
}
