import type { ReactNode } from 'react'
import type { RefundsResult } from '../generated/operations.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money, moment } from '../parts/format.js'
import { RoutedAnchor } from '../parts/links.js'

type Payment = NonNullable<NonNullable<RefundsResult['refunds']>['edges'][number]['node']['payment']>

/** When it was, which leads to its payment. */
export function OpenPayment({
  of: { paymentId, createdAt },
}: {
  of: { paymentId: string; createdAt: string }
}): ReactNode {
  const { language } = useLanguage()
  return (
    <RoutedAnchor to="/payments/$id" params={{ id: paymentId }} size="sm" data-test="open-payment">
      {moment(createdAt, language)}
    </RoutedAnchor>
  )
}

/** The payment whose money it was. */
export function OfPayment({
  payment: { amountFrom, fromCurrencySymbol, transactionType },
}: {
  payment: Payment
}): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return [money(amountFrom, fromCurrencySymbol, language), transactionType && t.methods[transactionType]]
    .filter(Boolean)
    .join(' · ')
}
