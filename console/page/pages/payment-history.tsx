import { Group, Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Messages } from '../messages/en.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money, moment, shortened, spoken } from '../parts/format.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import type { ShownPayment, ShownPayout } from './shown.js'

interface Moment {
  key: string
  at: string
  title: string
  /** Where the payment stands since then, where that is new. */
  status?: ShownPayment['status'] | undefined
  payout?: ShownPayout
}

/** What happened to a payment, oldest first; among it what each receiver got. */
export function PaymentHistory({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const moments = momentsOf(payment, t)
  return (
    <Section title={t.payment.timeline} test="history">
      <Timeline bulletSize={12} lineWidth={2} active={moments.length - 1}>
        {moments.map(({ key, at, title, status, payout }) => (
          <Timeline.Item
            key={key}
            title={
              <Group gap="xs">
                <span>{title}</span>
                {status && <StatusBadge status={status} text={t.status[status]} />}
              </Group>
            }
          >
            {payout && (
              <Text size="sm">
                {money(payout.amount, payout.symbol, language)} →{' '}
                <span className="id">{shortened(receiverOf(payment, payout))}</span>
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {moment(at, language)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}

function momentsOf({ events, payouts }: ShownPayment, t: Messages): Moment[] {
  const history = events?.edges.map(({ node }) => node) ?? []
  const changes = history.map(({ sequence, status, kind, createdAt }, index) => ({
    key: String(sequence),
    at: createdAt,
    title: spoken(kind, t.words),
    status: index === 0 || status === history[index - 1]?.status ? undefined : status,
  }))
  const paid = (payouts ?? []).flatMap((payout): Moment[] =>
    payout.paidAt === null
      ? []
      : [{ key: `payout ${payout.splitIndex}`, at: payout.paidAt, title: t.payment.paidOut, payout }],
  )
  // A payout is there before the payment says that its receivers are paid.
  return [...paid, ...changes].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

function receiverOf({ splitPaymentConfig }: ShownPayment, { splitIndex }: ShownPayout): string {
  const receiver = splitPaymentConfig[splitIndex]
  return receiver?.receiverWallet || (receiver?.recipientId ?? '')
}
