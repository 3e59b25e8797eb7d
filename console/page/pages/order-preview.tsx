import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import { useSession } from '../session/use-session.js'
import { decimalOf, isDecimal, type OrderDraft } from './order-draft.js'

/** The payment page as its payer will see it, while the link is being made. */
export function OrderPreview({ draft }: { draft: OrderDraft }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { tenant } = useSession()
  const { methods, item, quantity, description } = draft
  const allowed = (['pixcrypto', 'crypto', 'cardcrypto'] as const).filter((name) => methods[name])
  const price = isDecimal(draft.price) ? decimalOf(draft.price) : '0'
  return (
    <section aria-label={t.orders.preview} data-test="preview">
      <Text size="sm" mb={4}>
        {t.orders.preview}
      </Text>
      <Stack className="preview">
        <Text fw={600}>{tenant?.name}</Text>
        <Text fz={28} fw={700} className="amount">
          {money(price, draft.currency, language)}
        </Text>
        <div>
          <Text>{item === '' ? '…' : `${quantity} × ${item}`}</Text>
          {description !== '' && <Text size="sm">{description}</Text>}
        </div>
        <Group>
          {allowed.map((name) => (
            <Text key={name} size="sm" px="sm" py={4} bd="1px solid gray.5" style={{ borderRadius: 8 }}>
              {t.orders[name]}
            </Text>
          ))}
        </Group>
        <Button component="div" aria-hidden>
          {t.orders.pay}
        </Button>
      </Stack>
    </section>
  )
}
