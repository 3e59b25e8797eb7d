import { EN } from './page/messages/en.js'
import { ES } from './page/messages/es.js'
import type { Messages } from './page/messages/messages.js'
import { PT } from './page/messages/pt.js'
import { LANGUAGES, type Language } from './page/view.js'

export const MESSAGES: Readonly<Record<Language, Messages>> = { en: EN, pt: PT, es: ES }

/** One of the page's languages, by its code. */
export function isLanguage(code: unknown): code is Language {
  return LANGUAGES.some((language) => language === code)
}

/**
 * The language that a browser likes best of those we have, by `Accept-Language` (RFC 9110, 12.5.4); English where it
 * likes none of them.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', quality = 'q=1'] = range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      return { language: tag.split('-')[0], quality: Number(quality.replace(/^q=/, '')) || 0 }
    })
    .filter(({ language, quality }) => quality > 0 && isLanguage(language))
    .sort((one, other) => other.quality - one.quality)
  const best = wanted[0]?.language
  return isLanguage(best) ? best : 'en'
}
