import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { accentStyle } from './accent.js'

/**
 * A style that stands in the document itself: a browser that had to ask for it would paint some 20 ms later (measured on
 * loopback; a phone waits for a round trip).
 */
export interface PageStyle {
  text: string
  /** The source by which the content security policy allows this text and no other (CSP 3, 2.3.1). */
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
  const styles = new LRUCache<string, PageStyle>({ max: STYLES_KEPT })
  return (accent) => {
    const key = accent ?? ''
    const style = styles.get(key) ?? hashed(accent === null ? page : page + accentStyle(accent))
    styles.set(key, style)
    return style
  }
}

function hashed(text: string): PageStyle {
  return { text, source: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}
