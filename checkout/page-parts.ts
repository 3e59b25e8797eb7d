import { html, type Html } from '../kernel/html.js'
import type { Language } from './messages.js'

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', pt: 'pt-BR' }

/** More than any token has; `Intl` reads the text itself, so no binary float comes in between. */
const DIGITS_MAX = 30

/** A fact, by its name, in a `<dl>`. */
export function row(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

/** A point in time, in UTC and the reader's writing, in a `<dl>`. */
export function timeRow(name: string, at: Date, language: Language): Html {
  const text = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
  return html`<div>
    <dt>${name}</dt>
    <dd><time datetime="${at.toISOString()}">${text.format(at)}</time></dd>
  </div>`
}

/**
 * An amount of fiat in the reader's writing; never rounded, so all digits that it has are shown.
 * @param amount a decimal string
 * @param currency three letters, ISO 4217
 */
export function fiat(amount: string, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: DIGITS_MAX,
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

/** A decimal string in the reader's writing, with all its digits. */
export function decimal(amount: string, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: DIGITS_MAX })
  return format.format(amount as Intl.StringNumericLiteral)
}
