import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, money, shortened } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'
import { RowButton } from '../parts/row-button.js'
import { DataTable } from '../parts/table.js'
import { actionsFor } from './payout-actions.js'
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
        { name: texts.decide, show: (payout) => <Decide payout={payout} onDecide={onDecide} /> },
        { name: t.common.receiver, show: ({ receiver }) => id(receiver) },
        { name: t.common.payment, show: ({ paymentId }) => id(paymentId) },
        { name: texts.tenant, show: ({ tenantId }) => id(tenantId) },
        { name: t.payment.hash, show: ({ transactionId }) => transactionId && id(transactionId) },
      ]}
    />
  )
}

/** What can be done about it where something can: a payout that only waits for a pause leads to where that is lifted. */
function Decide({ payout, onDecide }: { payout: ShownPayout } & Pick<PayoutTableProps, 'onDecide'>): ReactNode {
  const { decide, liftPause } = useText().operators.payouts
  if (actionsFor(payout).length > 0)
    return <RowButton text={decide} of={payout.paymentId} test="decide" onClick={() => onDecide(payout)} />
  if (payout.why !== 'PAUSED') return null
  return (
    <RoutedAnchor to="/operators/treasury" size="sm" data-test="lift-pause">
      {liftPause}
    </RoutedAnchor>
  )
}
