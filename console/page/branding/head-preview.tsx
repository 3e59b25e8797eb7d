import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import { useSession } from '../session/use-session.js'
import type { BrandingDraft } from './branding-draft.js'
import { PageHead } from './page-head.js'

/** The head of the payment page and its button, in both themes, as they are with what is typed. */
export function HeadPreview({ draft }: { draft: BrandingDraft }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { tenant } = useSession()
  const name = draft.name.trim() === '' ? (tenant?.name ?? '') : draft.name.trim()
  return (
    <section aria-label={t.orders.preview} data-test="head-preview">
      <Stack gap="xs">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme}>
            <Text size="sm">
              {t.orders.preview}: {t.themes[theme]}
            </Text>
            <PageHead
              theme={theme}
              name={name}
              logo={draft.logo}
              color={draft.color}
              amount={money('149.90', 'BRL', language)}
            />
          </div>
        ))}
      </Stack>
    </section>
  )
}
