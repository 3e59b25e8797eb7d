import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { day, moment } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import { Nothing } from '../parts/nothing.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import type { ListedSubscription } from './shown.js'

export function SubscriptionTable({ subscriptions }: { subscriptions: readonly ListedSubscription[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.subscriptions
  return (
    <DataTable<ListedSubscription>
      label={t.nav.subscriptions}
      test="subscriptions"
      rows={subscriptions}
      keyOf={({ id }) => id}
      nothing={<Nothing text={texts.nothing} test="no-subscriptions" />}
      columns={[
        {
          name: t.common.created,
          show: ({ id, createdAt }) => (
            <RoutedAnchor to="/subscriptions/$id" params={{ id }} size="sm" data-test="open-subscription">
              {moment(createdAt, language)}
            </RoutedAnchor>
          ),
        },
        { name: texts.plan, show: ({ planName }) => planName },
        { name: texts.every, show: ({ interval }) => texts.intervals[interval] },
        { name: t.common.status, show: ({ status }) => <StatusBadge status={status} text={texts.states[status]} /> },
        { name: texts.next, show: ({ nextPaymentAt }) => nextPaymentAt && day(nextPaymentAt, language) },
        { name: texts.charge, show: ({ charge }) => (charge ? t.common.yes : t.common.no) },
      ]}
    />
  )
}
