import type { Messages } from './messages/messages.js'
import type { PageView } from './view.js'

/**
 * More than any token has, and the most that browsers from before the end of 2023 write: with more they throw, and the page never
 * comes alive. Newer ones read the text itself, so that no binary float comes in between.
 */
const DIGITS_MAX = 20

/** Puts values where a text has `{name}`. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** `Intl` writes spaces that do not break, each runtime others: plain ones are the same everywhere. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ')
}

/** A chain as people write it: `Polygon`, `BSC`, `Base Sepolia`. @param name as the API has it */
export function chainText(name: string): string {
  const words = name
    .split(/[-_ ]/)
    .map((word) => word.slice(0, word.length > 3 ? 1 : 3).toUpperCase() + word.slice(word.length > 3 ? 1 : 3))
  return words.join(' ')
}

/** An amount of money, as the payment's, in the reader's writing, `R$ 149,90`; never rounded, so all digits that it has are shown. */
export function amountOf({ amount, currency }: Pick<PageView, 'amount' | 'currency'>, { locale }: Messages): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: DIGITS_MAX })
  return plain(format.format(amount as Intl.StringNumericLiteral))
}

/** A decimal string in the reader's writing, with all its digits. */
export function decimal(amount: string, { locale }: Messages): string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: DIGITS_MAX })
  return plain(format.format(amount as Intl.StringNumericLiteral))
}

/** A point in time in the reader's writing. @param timeZone the reader's own where left out */
export function timeText(at: string, { locale }: Messages, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone, timeZoneName: 'short' as const }
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...zone,
  })
  return plain(format.format(new Date(at)))
}

/** What is left of a time, as minutes and seconds: `14:59`. @param leftMs in milliseconds */
export function clockText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
