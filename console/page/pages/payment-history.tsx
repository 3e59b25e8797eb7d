import { Group, Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Messages } from '../messages/en.js'
import type { Language } from '../messages/language.js'
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
  /** How much it was about, where that is known for sure. */
  amount?: string | undefined
}

type Entry = NonNullable<ShownPayment['events']>['edges'][number]['node']

/** What happened to a payment, oldest first; among it what each receiver got. */
export function PaymentHistory({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const moments = momentsOf(payment, t, language)
  return (
    <Section title={t.payment.timeline} test="history">
      <Timeline bulletSize={12} lineWidth={2} active={moments.length - 1}>
        {moments.map(({ key, at, title, status, payout, amount }) => (
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
            {amount !== undefined && <Text size="sm">{amount}</Text>}
            <Text size="xs" c="dimmed">
              {moment(at, language)}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}

function momentsOf(payment: ShownPayment, t: Messages, language: Language): Moment[] {
  const { events, payouts } = payment
  const history = events?.edges.map(({ node }) => node) ?? []
  const changes = history.map((event, index) => ({
    key: String(event.sequence),
    at: event.createdAt,
    title: spoken(event.kind, t.words),
    amount: amountOf(event, payment, language),
    status: index === 0 || event.status === history[index - 1]?.status ? undefined : event.status,
  }))
  const paid = (payouts ?? []).flatMap((payout): Moment[] =>
    payout.paidAt === null
      ? []
      : [{ key: `payout ${payout.splitIndex}`, at: payout.paidAt, title: t.payment.paidOut, payout }],
  )
  // A payout is there before the payment says that its receivers are paid.
  return [...paid, ...changes].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** How much an entry is about: as the graph says it, or where it tells of money that was not taken what alone it can be. */
function amountOf(event: Entry, { returns }: ShownPayment, language: Language): string | undefined {
  if (event.amount !== null && event.currency !== null) return money(event.amount, event.currency, language)
  const [only, ...others] = returns?.filter(({ reason }) => reason === event.kind) ?? []
  return only && others.length === 0 ? money(only.amount, only.currency, language) : undefined
}

function receiverOf({ splitPaymentConfig }: ShownPayment, { splitIndex }: ShownPayout): string {
  const receiver = splitPaymentConfig[splitIndex]
  return receiver?.receiverWallet || (receiver?.recipientId ?? '')
}
