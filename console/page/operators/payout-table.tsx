import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, money, shortened } from '../parts/format.js'
import { buttonColumn } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import type { ShownPayout } from './shown.js'

interface PayoutTableProps {
  label: string
  test: string
  payouts: readonly ShownPayout[]
  onDecide: (payout: ShownPayout) => void
}

/** Payouts that are not paid yet, with why. */
export function PayoutTable({ label, test, payouts, onDecide }: PayoutTableProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.payouts
  const id = (text: string): ReactNode => (
    <span className="id" title={text}>
      {shortened(text)}
    </span>
  )
  return (
    <DataTable<ShownPayout>
      label={label}
      test={test}
      rows={payouts}
      keyOf={({ paymentId, splitIndex }) => `${paymentId} ${splitIndex}`}
      columns={[
        { name: t.operators.since, show: ({ createdAt }) => moment(createdAt, language) },
        { name: t.common.amount, isAmount: true, show: ({ amount, symbol }) => money(amount, symbol, language) },
        { name: t.payment.chain, show: ({ chainName }) => chainName },
        {
          name: texts.why,
          show: ({ why, until }) => (
            <span data-test="why" data-why={why}>
              {texts.waits[why]}
              {until !== null && `, ${t.payment.until} ${moment(until, language)}`}
            </span>
          ),
        },
        buttonColumn(texts.decide, ({ paymentId }) => paymentId, 'decide', onDecide),
        { name: t.common.receiver, show: ({ receiver }) => id(receiver) },
        { name: t.common.payment, show: ({ paymentId }) => id(paymentId) },
        { name: texts.tenant, show: ({ tenantId }) => id(tenantId) },
        { name: t.payment.hash, show: ({ transactionId }) => transactionId && id(transactionId) },
      ]}
    />
  )
}
