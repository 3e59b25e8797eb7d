import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import type { ShownPayment } from './shown.js'

/** Says of what was not taken and goes back how much it is. */
export function ReturnedMoney({ payment }: { payment: ShownPayment }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  return payment.returns?.map(({ amount, currency, reason, status }, index) => (
    <Text key={index} size="sm" data-test="returned">
      {t.returned[reason === 'PAID_TWICE' ? 'paidTwice' : 'notTaken'][status]}: {money(amount, currency, language)}
    </Text>
  ))
}
