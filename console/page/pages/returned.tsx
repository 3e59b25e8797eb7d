import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import type { ShownPayment } from './shown.js'

/** Why money goes back that nobody has refunded, as providers' money shows it (`global_payment_data.returns`). */
const BY_ITSELF = ['paid_twice', 'paid_late', 'charge_replaced', 'amount_mismatch', 'payer_mismatch'] as const

/** Money that goes back, or went back, as the payment could not take it. */
interface Returned {
  /** A decimal string. */
  amount: string
  currency: string
  reason: (typeof BY_ITSELF)[number]
  status: 'done' | 'refused' | 'onItsWay'
}

/** What came for a payment, was not taken and goes back: none of it is among its refunds. */
export function returnedOf({ globalPaymentData, fromCurrencySymbol }: ShownPayment): Returned[] {
  const shown = (globalPaymentData ?? {}) as { currency?: unknown; returns?: unknown }
  const currency = typeof shown.currency === 'string' ? shown.currency : fromCurrencySymbol
  const returns = Array.isArray(shown.returns) ? (shown.returns as Readonly<Record<string, unknown>>[]) : []
  return returns.flatMap(({ amount, status, reason: told }) => {
    const reason = BY_ITSELF.find((one) => one === told)
    const isOver = status === 'done' || status === 'refused'
    return reason ? [{ amount: String(amount), currency, reason, status: isOver ? status : 'onItsWay' }] : []
  })
}

/** Says of what went back by itself how much it was. */
export function ReturnedMoney({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return returnedOf(payment).map(({ amount, currency, reason, status }, index) => (
    <Text key={index} size="sm" data-test="returned">
      {t.returned[reason === 'paid_twice' ? 'paidTwice' : 'notTaken'][status]}: {money(amount, currency, language)}
    </Text>
  ))
}
