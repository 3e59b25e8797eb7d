import type { ReactNode } from 'react'
import { RoutedAnchor } from '../parts/links.js'
import type { PaymentsResult } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { decimalsOf } from '../parts/decimals.js'
import { moment, money, shortened, spoken } from '../parts/format.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'

type Payment = NonNullable<PaymentsResult['payments']>['edges'][number]['node']

export function PaymentTable({ payments }: { payments: readonly Payment[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const decimals = decimalsOf(
    payments.map(({ receiversAmount, settledCurrency }) => [receiversAmount ?? '0', settledCurrency ?? '']),
  )
  return (
    <DataTable<Payment>
      label={t.nav.payments}
      test="payments"
      rows={payments}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t.common.created,
          show: ({ id, createdAt }) => (
            <RoutedAnchor to="/payments/$id" params={{ id }} size="sm" data-test="open-payment">
              {moment(createdAt, language)}
            </RoutedAnchor>
          ),
        },
        {
          name: t.common.amount,
          isAmount: true,
          show: ({ amountFrom, fromCurrencySymbol }) => money(amountFrom, fromCurrencySymbol, language),
        },
        { name: t.common.status, show: ({ status }) => <StatusBadge status={status} text={t.status[status]} /> },
        {
          name: t.payments.method,
          show: ({ transactionType }) => (transactionType === null ? '–' : t.methods[transactionType]),
        },
        {
          name: t.payments.receives,
          isAmount: true,
          show: ({ receiversAmount: got, settledCurrency: currency }) =>
            got === null || currency === null ? '–' : money(got, currency, language, decimals(currency)),
        },
        {
          name: t.payments.payer,
          show: ({ payerEmail, payerWallet }) => payerEmail ?? (payerWallet === null ? '–' : shortened(payerWallet)),
        },
        { name: t.common.reason, show: ({ dataError }) => (dataError ? spoken(dataError.reason, t.words) : '') },
      ]}
    />
  )
}
