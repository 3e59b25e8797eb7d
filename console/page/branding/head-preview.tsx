import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { accentColors } from '../../../checkout/accent.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { money } from '../parts/format.js'
import { useSession } from '../session/use-session.js'
import { isColor, type BrandingDraft } from './branding-draft.js'

/** The page's own colours where a tenant has none. */
const OURS = { light: '#1f4fd8', dark: '#8fb0ff' }

/** The head of the payment page and its button, in both themes, as they are with what is typed. */
export function HeadPreview({ draft }: { draft: BrandingDraft }): ReactNode {
  const t = useText()
  const { tenant } = useSession()
  const name = draft.name.trim() === '' ? (tenant?.name ?? '') : draft.name.trim()
  const colors = isColor(draft.color) ? accentColors(draft.color) : OURS
  return (
    <section aria-label={t.branding.preview} data-test="head-preview">
      <Stack gap="xs">
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme}>
            <Text size="sm">
              {t.branding.preview}: {t.branding[theme]}
            </Text>
            <Head theme={theme} name={name} logo={draft.logo} accent={colors[theme]} />
          </div>
        ))}
      </Stack>
    </section>
  )
}

interface HeadProps {
  theme: 'light' | 'dark'
  name: string
  logo: string | null
  /** `#rrggbb` */
  accent: string
}

function Head({ theme, name, logo, accent }: HeadProps): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const filled = { background: accent, color: theme === 'light' ? '#fff' : '#0b1220' }
  return (
    <div className="page-head" data-theme={theme} data-test={`preview-${theme}`}>
      <div className="page-merchant">
        {logo === null ? (
          <span className="page-logo" style={filled} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        ) : (
          <img className="page-logo" src={logo} alt="" width="36" height="36" data-test="preview-logo" />
        )}
        <span>{name}</span>
      </div>
      <div>
        {t.branding.to} {name}
      </div>
      <div className="page-amount">{money('149.90', 'BRL', language)}</div>
      <div className="page-pay" style={filled} data-test="preview-pay">
        {t.orders.pay}
      </div>
    </div>
  )
}
