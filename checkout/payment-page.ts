import { html, styledPage, type Html } from '../kernel/html.js'
import { WORDS, type Language } from './words.js'

/** What the page shows of a payment: nothing of the payer, nothing of the tenant's own. */
export interface ShownPayment {
  /** In capitals, as all enums of the graph. */
  status: string
  fromCurrencySymbol: string
  amountFrom: string
  toCurrencySymbol: string
  amountTo: string | null
  toChain: string | null
  paymentMethodAllowed: Readonly<Record<string, boolean>>
  quote: { expiresAt: string } | null
}

/** The page of one payment. */
export function paymentPage(payment: ShownPayment, linkExpiresAt: Date, language: Language): string {
  const words = WORDS[language]
  const state = words.states[payment.status.toLowerCase()]
  const { toCurrencySymbol, toChain, amountTo, quote } = payment
  const methods = Object.entries(payment.paymentMethodAllowed).filter(([, allowed]) => allowed)
  const names = [...new Set(methods.map(([method]) => words.methods[method] ?? method))]
  const isOpen = payment.status !== 'SUCCESS'
  return page(language, `${words.title}: ${state?.title ?? ''}`, [
    html`<p class="state ${payment.status.toLowerCase()}" role="status">${state?.title}</p>`,
    html`<h1>${fiat(payment.amountFrom, payment.fromCurrencySymbol, language)}</h1>`,
    html`<p>${state?.text}</p>`,
    html`<dl>
      ${row(words.receivers, toChain === null ? toCurrencySymbol : `${toCurrencySymbol} · ${toChain}`)}
      ${amountTo === null ? undefined : row(words.quoted, `${decimal(amountTo, language)} ${toCurrencySymbol}`)}
      ${isOpen ? row(words.howToPay, names.join(', ')) : undefined}
      ${isOpen && quote ? timeRow(words.quoteExpires, new Date(quote.expiresAt), language) : undefined}
      ${timeRow(words.expires, linkExpiresAt, language)}
    </dl>`,
    html`<p><a href="">${words.refresh}</a></p>`,
  ])
}

/** The page instead of a payment: its link is not good, or it cannot be read right now. */
export function noticePage(notice: 'notFound' | 'unavailable', language: Language): string {
  const { title, text } = WORDS[language][notice]
  return page(language, title, [html`<h1>${title}</h1>`, html`<p>${text}</p>`])
}

/** The headers of every answer here: nothing may be kept, indexed, framed or loaded. */
export function pageHeaders(language: Language): Record<string, string> {
  return {
    ...STYLED.headers,
    'cache-control': 'no-store',
    'content-language': language,
    vary: 'accept-language',
    'x-robots-tag': 'noindex, nofollow',
  }
}

function page(language: Language, title: string, content: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${STYLED.style}
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`.text
}

function row(name: string, value: string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function timeRow(name: string, at: Date, language: Language): Html {
  const text = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' })
  return html`<div>
    <dt>${name}</dt>
    <dd><time datetime="${at.toISOString()}">${text.format(at)}</time></dd>
  </div>`
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', pt: 'pt-BR' }

/** An amount in the reader's writing; never rounded, so all digits that it has are shown. */
function fiat(amount: string, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    maximumFractionDigits: DIGITS_MAX,
  })
  return format.format(amount as Intl.StringNumericLiteral)
}

function decimal(amount: string, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: DIGITS_MAX })
  return format.format(amount as Intl.StringNumericLiteral)
}

/** More than any token has; `Intl` reads the text itself, so no binary float comes in between. */
const DIGITS_MAX = 30

const STYLED = styledPage(`
:root { color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { box-sizing: border-box; width: min(32rem, 100%); padding: 2rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: .5rem 0; overflow-wrap: anywhere; }
.state { display: inline-block; margin: 0; padding: .1rem .75rem; border-radius: 1rem; border: 1px solid; }
.success { color: light-dark(#14602f, #7ee2a0); }
.error, .reproved { color: light-dark(#a11212, #ff9d9d); }
dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 0; border-top: 1px solid #8884; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
`)
