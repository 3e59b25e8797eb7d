import { html, styledPage, type Html } from '../kernel/html.js'
import { decimal, fiat, row, timeRow } from './page-parts.js'
import { pixCharge, type PixCharge } from './pix-charge.js'
import { MESSAGES, type Language, type Messages } from './messages.js'

/** What the page shows of a payment: nothing of the payer, nothing of the tenant's own. */
export interface ShownPayment {
  /** In capitals, as all enums of the graph. */
  status: string
  /** In capitals too; null before a transaction is created. */
  transactionType: string | null
  fromCurrencySymbol: string
  amountFrom: string
  toCurrencySymbol: string
  amountTo: string | null
  toChain: string | null
  paymentMethodAllowed: Readonly<Record<string, boolean>>
  quote: { expiresAt: string } | null
  instantTransfer: PixCharge | null
  order: { orderItems: readonly { name: string; quantity: number }[] } | null
}

/** How a page is shown, and when. */
export interface PageView {
  now: Date
  linkExpiresAt: Date
  language: Language
}

/** The ways to pay by which the receivers get fiat. */
const FIAT_METHODS: ReadonlySet<string> = new Set(['cardfiat', 'cryptofiat', 'cryptopix'])

/** The page of one payment. */
export function paymentPage(payment: ShownPayment, view: PageView): string {
  const { language } = view
  const messages = MESSAGES[language]
  const status = payment.status.toLowerCase()
  const state = messages.states[status]
  return page(language, `${messages.title}: ${state?.title ?? ''}`, [
    html`<p class="state ${status}" role="status">${state?.title}</p>`,
    html`<h1>${fiat(payment.amountFrom, payment.fromCurrencySymbol, language)}</h1>`,
    html`<p>${state?.text}</p>`,
    itemList(payment.order?.orderItems ?? [], messages),
    payment.status === 'PENDING' && payment.instantTransfer ? pixCharge(payment.instantTransfer, view) : html``,
    factList(payment, view),
    html`<p><a href="">${messages.refresh}</a></p>`,
  ])
}

function factList(payment: ShownPayment, { now, linkExpiresAt, language }: PageView): Html {
  const messages = MESSAGES[language]
  const { toCurrencySymbol, toChain, amountTo, quote } = payment
  const allowed = Object.entries(payment.paymentMethodAllowed).flatMap(([method, isAllowed]) =>
    isAllowed ? [method] : [],
  )
  const names = [...new Set(allowed.map((method) => messages.methods[method] ?? method))]
  const possible = payment.transactionType === null ? allowed : [payment.transactionType.toLowerCase()]
  const isFiat = possible.every((method) => FIAT_METHODS.has(method))
  const token = toChain === null ? toCurrencySymbol : `${toCurrencySymbol} · ${toChain}`
  const isOpen = payment.status !== 'SUCCESS'
  const quotedUntil = quote && new Date(quote.expiresAt)
  return html`<dl>
    ${row(messages.receivers, isFiat ? payment.fromCurrencySymbol : token)}
    ${isFiat || amountTo === null ? undefined : row(messages.quoted, `${decimal(amountTo, language)} ${toCurrencySymbol}`)}
    ${isOpen ? row(messages.howToPay, names.join(', ')) : undefined}
    ${
      isOpen && quotedUntil
        ? timeRow(quotedUntil > now ? messages.quoteExpires : messages.quoteExpired, quotedUntil, language)
        : undefined
    }
    ${timeRow(messages.expires, linkExpiresAt, language)}
  </dl>`
}

function itemList(items: readonly { name: string; quantity: number }[], messages: Messages): Html {
  if (items.length === 0) return html``
  const lines = items.map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>`)
  return html`<h2>${messages.items}</h2>
    <ul>
      ${lines}
    </ul>`
}

/** The page instead of a payment: its link is not good, or it cannot be read right now. */
export function noticePage(notice: 'notFound' | 'unavailable', language: Language): string {
  const { title, text } = MESSAGES[language][notice]
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

const STYLED = styledPage(
  `
:root { color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; }
main { box-sizing: border-box; width: min(32rem, 100%); padding: 2rem; }
h1 { font-size: 2.25rem; line-height: 1.2; margin: .5rem 0; overflow-wrap: anywhere; }
.state { display: inline-block; margin: 0; padding: .1rem .75rem; border-radius: 1rem; border: 1px solid; }
.success { color: light-dark(#14602f, #7ee2a0); }
.error, .reproved { color: light-dark(#a11212, #ff9d9d); }
dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 0; border-top: 1px solid #8884; }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
ul { margin: 0 0 1.5rem; padding-left: 1.25rem; overflow-wrap: anywhere; }
img { display: block; width: 15rem; max-width: 100%; height: auto; margin: 0 auto 1rem; image-rendering: pixelated; }
textarea { box-sizing: border-box; width: 100%; margin: .25rem 0 1rem; padding: .5rem; font: .8rem/1.4 ui-monospace, monospace; resize: vertical; user-select: all; }
`,
  { images: true },
)
