import { html } from '../../../../kernel/html.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import { MAIL_WORDS, type MailKind, type MailLanguage } from './mail-words.js'

/** What an e-mail to a payer tells. */
export interface MailedPeriod {
  kind: MailKind
  /** The tenant's name; empty where it has none. */
  shop: string
  plan: string
  amount: string
  currency: string
  dueAt: Date
  /** The payment's page. */
  page: string
  /** The page that ends these e-mails. */
  stop: string
}

/** The e-mail that asks a payer for a period's payment: nothing of the payer is in it, and nothing that opens another payment. */
export function mailMessage(about: MailedPeriod, language: MailLanguage): Omit<MailMessage, 'to'> {
  const words = MAIL_WORDS[language]
  const { kind, shop, plan, page, stop } = about
  const money = new Intl.NumberFormat(words.locale, { style: 'currency', currency: about.currency })
  const day = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const rows: readonly (readonly [string, string])[] = [
    ...(shop === '' ? [] : [[words.to, shop] as const]),
    [words.plan, plan],
    [words.amount, money.format(about.amount as Intl.StringNumericLiteral)],
    [words.due, day.format(about.dueAt)],
  ]
  const lines = rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  const name = shop === '' ? plan : `${plan} (${shop})`
  return {
    subject: words.subjects[kind](name).replace(/[\r\n]+/g, ' '),
    text: `${words.leads[kind]}\n\n${lines}\n\n${words.pay}: ${page}\n${words.week}\n\n${words.stop}: ${stop}\n`,
    html: html`<p>${words.leads[kind]}</p>
      <table>
        ${rows.map(
          ([of, value]) =>
            html`<tr>
              <td>${of}</td>
              <td><strong>${value}</strong></td>
            </tr>`,
        )}
      </table>
      <p><a href="${page}">${words.pay}</a></p>
      <p>${words.week}</p>
      <p>
        <small><a href="${stop}">${words.stop}</a></small>
      </p>`.text,
    unsubscribeUrl: stop,
  }
}
