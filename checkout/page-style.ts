import { styleSource } from '../kernel/html.js'
import { memoize } from '../kernel/memoize.js'
import { accentStyle } from './accent.js'

/**
 * A style that stands in the document itself: a browser that had to ask for it would paint some 20 ms later (measured on
 * loopback; a phone waits for a round trip).
 */
export interface PageStyle {
  text: string
  /** What the content security policy allows it by. */
  source: string
}

/** Seven kilobytes each. */
const STYLES_KEPT = 200

/**
 * Puts tenants' colours into the page's style.
 * @param page the built style sheet
 * @returns the style of a colour `#rrggbb`, or of none
 */
export function pageStyles(page: string): (accent: string | null) => PageStyle {
  const styleOf = memoize(STYLES_KEPT, (accent): PageStyle => {
    const text = accent === '' ? page : page + accentStyle(accent)
    return { text, source: styleSource(text) }
  })
  return (accent) => styleOf(accent ?? '')
}
