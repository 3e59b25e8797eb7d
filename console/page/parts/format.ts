import type { Language } from '../messages/language.js'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', pt: 'pt-BR' }
/** Brazil writes `25/11/2026`; in English that would be a day to some readers and a month to others: `25 Nov 2026`. */
const DATE_STYLES = { en: 'medium', pt: 'short' } as const
/** ISO 4217; what has another length is a token. */
const FIAT = /^[A-Z]{3}$/
const FIATS = new Set(['BRL', 'USD', 'EUR', 'GBP'])

/**
 * An amount as its reader writes it, e.g. `R$ 149,90`. The digits stay as the server has written them: no number is made of them.
 * @param amount a decimal string
 * @param decimals at least so many are shown of a token, so that amounts below each other line up
 */
export function money(amount: string, currency: string, language: Language, decimals = 0): string {
  if (FIAT.test(currency) && FIATS.has(currency)) return number(amount, language, { style: 'currency', currency })
  return `${padded(amount, language, decimals)} ${currency}`
}

/** Whether a decimal string is nothing; what is not known is not nothing. */
export function isNothing(amount: string | null): boolean {
  return amount !== null && !/[1-9]/.test(amount)
}

/** How many decimals amounts of a currency have, by ISO 4217. */
export function decimalsOfCurrency(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/** As wide as a digit, and as a point. */
const [NO_DIGIT, NO_POINT] = ['\u2007', '\u2008']

/** An amount whose token is named elsewhere. @param decimals for so many there is room, so that points below each other line up */
export function figure(amount: string, language: Language, decimals = 0): string {
  const own = amount.split('.')[1]?.length ?? 0
  const room = (own === 0 && decimals > 0 ? NO_POINT : '') + NO_DIGIT.repeat(Math.max(decimals - own, 0))
  return padded(amount, language, own) + room
}

function padded(amount: string, language: Language, decimals: number): string {
  return number(amount, language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: Math.max(18, decimals),
  })
}

/** A number as its reader writes it. @param value a decimal string keeps its digits */
function number(value: number | string, language: Language, shape: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(LOCALES[language], shape).format(value as `${number}`)
}

/** A price, in as many digits as anybody compares. */
export function rate(value: string, currency: string, language: Language): string {
  return `${number(value, language, { maximumSignificantDigits: 8 })} ${currency}`
}

export function moment(iso: string, language: Language): string {
  // It stays on one line: a table has no room for a moment in three.
  return date(iso, language, { dateStyle: DATE_STYLES[language], timeStyle: 'medium' }).replaceAll(' ', '\u00a0')
}

export function day(iso: string, language: Language): string {
  return date(iso, language, { dateStyle: DATE_STYLES[language], timeZone: 'UTC' })
}

/** A day below a chart. */
export function shortDay(iso: string, language: Language): string {
  return date(iso, language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).replace(' de ', ' ')
}

function date(iso: string, language: Language, shape: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[language], shape).format(new Date(iso))
}

/** A mark of a chart's scale, e.g. `R$ 5 mil`. */
export function shortMoney(value: number, currency: string, language: Language): string {
  return number(value, language, { style: 'currency', currency, notation: 'compact' })
}

/** An id or address that is too long for a table: its beginning and end. */
export function shortened(text: string): string {
  return text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-6)}` : text
}

/**
 * A word of the protocol, or its name in the graph, as people read it: in their language where there is a text, otherwise
 * `charge_paid` and `CHARGE_PAID` → `charge paid`.
 */
export function spoken(word: string, words: Readonly<Record<string, string>> = {}): string {
  const lower = word.toLowerCase()
  return words[word] ?? words[lower] ?? lower.replaceAll(/[_.]/g, ' ')
}

/** A time that something took, in the unit that suits it. */
export function duration(seconds: number, language: Language): string {
  const [value, unit] =
    seconds < 90
      ? [seconds, 'second']
      : seconds < 5_400
        ? [seconds / 60, 'minute']
        : seconds < 172_800
          ? [seconds / 3_600, 'hour']
          : [seconds / 86_400, 'day']
  return number(value, language, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 })
}

/** How long a call took, short enough for a table. */
export function milliseconds(value: number, language: Language): string {
  return `${number(value, language, { maximumFractionDigits: 0 })} ms`
}

/** A share or a rate, in percent: a number, or a decimal of the server's. Figures below each other have the same digits. */
export function percent(value: number | string, language: Language, digits = 2): string {
  return `${number(value, language, { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`
}

/** A size that nobody reads to the cent. */
export function wholeMoney(amount: string, currency: string, language: Language): string {
  return number(amount, language, { style: 'currency', currency, maximumFractionDigits: 0 })
}
