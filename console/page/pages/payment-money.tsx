import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { money, moment, rate } from '../parts/format.js'
import { Section } from '../parts/section.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import { Terms } from '../parts/terms.js'
import { Receivers } from './receivers.js'
import { ReturnedMoney } from './returned.js'
import type { ShownPayment } from './shown.js'

/** The way of the money: from the payer, less fees, to each receiver, and what went back. */
export function PaymentMoney({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { fees, quote, fromCurrencySymbol, toCurrencySymbol, amountTo, settledAmount, settledCurrency } = payment
  const asked = amountTo && settledAmount !== amountTo ? money(amountTo, toCurrencySymbol, language) : null
  const got = settledAmount && settledCurrency ? money(settledAmount, settledCurrency, language) : null
  const fee = (amount: string | null | undefined): string | null =>
    fees && amount !== null && amount !== undefined ? money(amount, fees.currency, language) : null
  return (
    <Section title={t.payment.money} test="money">
      <Terms
        of={[
          [t.payment.paid, money(payment.amountFrom, fromCurrencySymbol, language)],
          [
            t.payment.rate,
            quote && `1 ${fromCurrencySymbol} = ${rate(quote.rate, toCurrencySymbol, language)} (${quote.source})`,
          ],
          [`${t.payment.fees}: ${t.payment.platform}`, fee(fees?.platform)],
          [`${t.payment.fees}: ${t.payment.spread}`, fee(fees?.spread)],
          [`${t.payment.fees}: ${t.payment.provider}`, fee(fees?.provider)],
          [t.payment.asked, asked],
          [t.payments.receives, got],
        ]}
      />
      <Receivers payment={payment} />
      <Refunds payment={payment} />
      <ReturnedMoney payment={payment} />
    </Section>
  )
}

function Refunds({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { refunds, returns, refundedAmount, refundedCurrency } = payment
  if (refunds === null) return null
  // That nothing was refunded is not said beside money that went back by itself.
  if (refunds.length === 0) return returns?.length === 0 && <Text size="sm">{t.payment.noRefunds}</Text>
  return (
    <Stack gap="xs" data-test="refunds">
      {refundedCurrency && (
        <Text fw={600}>
          {t.payment.refunded}: {money(refundedAmount, refundedCurrency, language)}
        </Text>
      )}
      <DataTable
        label={t.payment.refunds}
        rows={refunds}
        keyOf={({ id }) => id}
        columns={[
          { name: t.common.created, show: ({ createdAt }) => moment(createdAt, language) },
          {
            name: t.common.amount,
            isAmount: true,
            show: ({ amount, currency }) => money(amount, currency, language),
          },
          {
            name: t.common.status,
            show: ({ status }) => <StatusBadge status={status} text={t.refundStatus[status]} />,
          },
          { name: t.common.reason, show: ({ reason }) => (reason ? t.reasons[reason] : '') },
        ]}
      />
    </Stack>
  )
}
