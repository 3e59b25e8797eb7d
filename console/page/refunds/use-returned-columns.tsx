import type { ReactNode } from 'react'
import type { RefundsResult } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money, moment } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import type { Column } from '../parts/table.js'

type Refund = NonNullable<RefundsResult['refunds']>['edges'][number]['node']
/** What refunds and disputes have both. */
type Returned = Pick<Refund, 'paymentId' | 'createdAt' | 'amount' | 'currency' | 'payment'>

/** The columns of what went back to payers: when it was leads to its payment. */
export function useReturnedColumns<Row extends Returned>(
  status: (row: Row) => ReactNode,
  reason: (row: Row) => ReactNode,
): readonly Column<Row>[] {
  const t = useText()
  const { language } = useLanguage()
  return [
    {
      name: t.common.created,
      show: ({ paymentId, createdAt }) => (
        <RoutedAnchor to="/payments/$id" params={{ id: paymentId }} size="sm" data-test="open-payment">
          {moment(createdAt, language)}
        </RoutedAnchor>
      ),
    },
    { name: t.common.amount, isAmount: true, show: ({ amount, currency }) => money(amount, currency, language) },
    { name: t.common.status, show: status },
    { name: t.common.reason, show: reason },
    {
      name: t.refunds.of,
      show: ({ payment }) =>
        payment &&
        [
          money(payment.amountFrom, payment.fromCurrencySymbol, language),
          payment.transactionType && t.methods[payment.transactionType],
        ]
          .filter(Boolean)
          .join(' · '),
    },
    { name: t.payments.payer, show: ({ payment }) => payment?.payerEmail ?? '–' },
  ]
}
