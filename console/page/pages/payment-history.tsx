import { Text, Timeline } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, spoken } from '../parts/format.js'
import { Section } from '../parts/section.js'
import type { ShownPayment } from './shown.js'

/** What happened to a payment, oldest first. */
export function PaymentHistory({ history }: { history: ShownPayment['history'] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return (
    <Section title={t.payment.timeline} test="history">
      <Timeline bulletSize={14} lineWidth={2} active={history.length - 1}>
        {history.map(({ sequence, status, cause, createdAt }) => (
          <Timeline.Item key={sequence} title={t.status[status]}>
            <Text size="sm">{spoken(cause)}</Text>
            <Text size="xs">{moment(createdAt, language)}</Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}
