import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { isNothing, money, moment, shortened } from '../parts/format.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import type { ShownPayment, ShownPayout } from './shown.js'

/** Who gets what of a payment, and where each payout stands. */
export function Receivers({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const receivers = payment.splitPaymentConfig.map((receiver, index) => ({
    ...receiver,
    index,
    payout: payment.payouts?.find(({ splitIndex }) => splitIndex === index),
  }))
  return (
    <DataTable
      label={t.payment.receivers}
      test="receivers"
      rows={receivers}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          name: t.payment.receivers,
          show: ({ receiverWallet, recipientId }) => <span className="id">{receiverWallet || recipientId}</span>,
        },
        { name: t.payment.share, isAmount: true, show: ({ receiverPercent }) => `${receiverPercent} %` },
        {
          name: t.payment.payout,
          show: ({ payout }) => (payout ? <PayoutStanding payout={payout} /> : <WithoutPayout payment={payment} />),
        },
      ]}
    />
  )
}

/** Where a wallet pays the receivers itself, the treasury pays nobody. */
function WithoutPayout({ payment: { transactionType, status } }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  if (status === 'SUCCESS') return transactionType === 'CRYPTO' && <Text size="sm">{t.payment.direct}</Text>
  return (status === 'REGISTERED' || status === 'PENDING') && <Text size="sm">{t.payment.notYetPaid}</Text>
}

function PayoutStanding({ payout }: { payout: ShownPayout }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { symbol, state, reason, until, transactionHash: hash, transactionUrl, paidAt, takenBackAmount } = payout
  // Of what was taken back whole nothing is left to say but how much that was.
  const amount = state === 'CANCELED' ? takenBackAmount : payout.amount
  return (
    <>
      <StatusBadge status={state} text={t.payouts[state]} /> {money(amount, symbol, language)}
      {state !== 'CANCELED' && !isNothing(takenBackAmount) && (
        <Text size="sm">
          {t.payment.takenOff}: {money(takenBackAmount, symbol, language)}
        </Text>
      )}
      {reason && (
        <Text size="sm">
          {t.holds[reason]}
          {until !== null && ` ${t.payment.until} ${moment(until, language)}`}
        </Text>
      )}
      {paidAt !== null && <Text size="xs">{moment(paidAt, language)}</Text>}
      {hash !== null &&
        (transactionUrl === null ? (
          <span className="id" title={hash}>
            {shortened(hash)}
          </span>
        ) : (
          <Anchor href={transactionUrl} target="_blank" rel="noreferrer" size="sm" data-test="payout-transaction">
            {shortened(hash)}
          </Anchor>
        ))}
    </>
  )
}
