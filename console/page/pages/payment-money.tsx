import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { isNothing, money, rate } from '../parts/format.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import { Receivers } from './receivers.js'
import { GoneMoney } from './gone-money.js'
import type { ShownPayment } from './shown.js'

/** The way of the money: from the payer, less fees, to each receiver, and what went back. */
export function PaymentMoney({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { fees, quote, fromCurrencySymbol, toCurrencySymbol, amountTo, settledAmount, settledCurrency } = payment
  const { payerCharge, receiversAmount } = payment
  const asked = amountTo && settledAmount !== amountTo ? money(amountTo, toCurrencySymbol, language) : null
  const settled = (amount: string | null): string | null =>
    amount === null || settledCurrency === null ? null : money(amount, settledCurrency, language)
  // Of a price in the currency that is charged it would stand there twice.
  const charged = payerCharge?.isEstimate === false && payerCharge.currency !== fromCurrencySymbol && payerCharge
  const fee = (amount: string | null | undefined): string | null =>
    fees && amount !== null && amount !== undefined ? money(amount, fees.currency, language) : null
  return (
    <Section title={t.payment.money} test="money">
      <Terms
        of={[
          [t.payment.paid, money(payment.amountFrom, fromCurrencySymbol, language)],
          [t.payment.charged, charged && money(charged.amount, charged.currency, language)],
          [
            t.payment.rate,
            quote && `1 ${fromCurrencySymbol} = ${rate(quote.rate, toCurrencySymbol, language)} (${quote.source})`,
          ],
          [`${t.payment.fees}: ${t.payment.platform}`, fee(fees?.platform)],
          [`${t.payment.fees}: ${t.payment.spread}`, fee(fees?.spread)],
          [`${t.payment.fees}: ${t.payment.provider}`, fee(fees?.provider)],
          [t.payment.asked, asked],
          [t.payment.shared, receiversAmount !== settledAmount && settled(settledAmount)],
          [t.payments.receives, isNothing(receiversAmount) ? t.payment.nothingLeft : settled(receiversAmount)],
        ]}
      />
      <Receivers payment={payment} />
      <GoneMoney payment={payment} />
    </Section>
  )
}
