import { moment, money } from '../parts/format.js'
import type { Language } from './language.js'
import { ptAlerts } from './pt-alerts.js'

/** Both sides of a difference, in front of what is said of it. */
const SIDES = /^(\S+) instead of (\S+) ([A-Z][A-Z0-9]*)(?:: (.*))?$/
const AMOUNT = /(?<![\w.])(\d+(?:\.\d+)?) ([A-Z][A-Z0-9]{2,9})(?!\w)/g
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

/**
 * What was told to operators, in the reader's language: amounts and times as he writes them, and in Portuguese each part that there is a text
 * for. A part that nobody here knows stays as it was told, rather than being left out.
 */
export function alertWords(details: string, language: Language): string {
  const words = language === 'pt' ? details.split('; ').map(inPortuguese).join('; ') : details
  return words
    .replaceAll(AMOUNT, (_, amount: string, symbol: string) =>
      // A figure and its token stay on one line.
      money(amount, symbol, language).replaceAll(' ', '\u00a0'),
    )
    .replaceAll(MOMENT, (iso) => moment(iso, language))
}

/** @returns the part as it was told where there is no text for it */
export function inPortuguese(part: string): string {
  const sides = SIDES.exec(part)
  if (sides) {
    const [, actual, expected, currency, rest] = sides
    const compared = `${actual} ${currency} em vez de ${expected} ${currency}`
    return rest === undefined ? compared : `${compared}: ${inPortuguese(rest)}`
  }
  const found = ptAlerts.find(([pattern]) => pattern.test(part))
  return found ? part.replace(found[0], found[1]) : part
}
