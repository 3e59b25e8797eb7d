import type { ReactNode } from 'react'
import { accentColors } from '../../../checkout/accent.js'
import { useText } from '../messages/use-text.js'
import { isColor } from './branding-draft.js'

/** The page's own colours where a tenant has none. */
const OURS = { light: '#1f4fd8', dark: '#8fb0ff' }

interface PageHeadProps {
  theme: 'light' | 'dark'
  name: string
  /** A `data:` URL; null for the first letter of the name. */
  logo: string | null
  /** `#rrggbb`; anything else for the page's own. */
  color: string
  /** What is paid, as it is written. */
  amount: string
  /** What stands between the amount and the button. */
  children?: ReactNode
}

/** The head of the payment page and its button, with that page's own colours. */
export function PageHead({ theme, name, logo, color, amount, children }: PageHeadProps): ReactNode {
  const t = useText()
  const accent = (isColor(color) ? accentColors(color) : OURS)[theme]
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
      <div className="page-amount">{amount}</div>
      {children}
      <div className="page-pay" style={filled} data-test="preview-pay">
        {t.orders.pay}
      </div>
    </div>
  )
}
