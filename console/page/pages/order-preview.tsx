import { Group, Text, useComputedColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageHead } from '../branding/page-head.js'
import { brandingQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import { typedPrice } from '../parts/typed-amount.js'
import { useSession } from '../session/use-session.js'
import type { OrderDraft } from './order-draft.js'

/** The payment page as its payer will see it, in the tenant's name and colour, while the link is being made. */
export function OrderPreview({ draft }: { draft: OrderDraft }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { tenant } = useSession()
  const theme = useComputedColorScheme()
  const branding = useGraph(brandingQuery, {}).data?.branding
  const { methods, item, quantity, description } = draft
  const allowed = (['pixcrypto', 'crypto', 'cardcrypto'] as const).filter((name) => methods[name])
  const price = typedPrice(draft.price, draft.currency)
  return (
    <section className="preview" aria-label={t.orders.preview} data-test="preview">
      <Text size="sm" c="dimmed" mb={4}>
        {t.orders.preview}
      </Text>
      <PageHead
        theme={theme}
        name={branding?.displayName ?? tenant?.name ?? ''}
        logo={branding?.logo ?? null}
        color={branding?.accentColor ?? ''}
        amount={price === undefined && draft.price !== '' ? '–' : money(price ?? '0', draft.currency, language)}
      >
        <div>
          <div>{item === '' ? '…' : `${quantity} × ${item}`}</div>
          {description !== '' && <Text size="sm">{description}</Text>}
        </div>
        <Group gap="xs">
          {allowed.map((name) => (
            <span key={name} className="page-method">
              {t.orders[name]}
            </span>
          ))}
        </Group>
      </PageHead>
    </section>
  )
}
