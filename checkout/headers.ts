import { KEEP_PRESS_SOURCE } from './keep-press.js'
import type { Language } from './page/view.js'

/**
 * The headers of the page: nothing may be kept or indexed; only what is ours is loaded and run, and only the card
 * processor is asked besides us.
 * @param options.style the source of the one style that stands in the document
 * @param options.cardTokenUrl where cards are turned into tokens; null where no card can be paid with
 * @param options.embedOrigins the sites that may show the page in a frame
 */
export function pageHeaders(
  language: Language,
  {
    style,
    cardTokenUrl = null,
    embedOrigins = [],
  }: { style: string; cardTokenUrl?: string | null; embedOrigins?: readonly string[] },
): Record<string, string> {
  const card = cardTokenUrl === null ? '' : ` ${new URL(cardTokenUrl).origin}`
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${KEEP_PRESS_SOURCE}`,
    `style-src ${style}`,
    // `data:` is for the pictures that wallets bring along.
    "img-src 'self' data:",
    `connect-src 'self'${card}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'"}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return {
    ...ANSWER_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'content-language': language,
    vary: 'accept-language',
  }
}

/** Of every answer below the link. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}
