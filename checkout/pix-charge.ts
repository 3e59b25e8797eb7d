import { html, type Html } from '../kernel/html.js'
import { timeRow } from './page-parts.js'
import { MESSAGES, type Language } from './messages.js'

/** What a payer needs to pay a Pix charge. */
export interface PixCharge {
  /** The provider's word, `ATIVA` while it can be paid. */
  status: string
  /** The BR Code as text, and as a PNG in a `data:` address. */
  pixCopiaECola: string
  pixQrCodeDataUrl: string
  /** When it was created (ISO 8601), and for how many seconds it can be paid from then. */
  calendar: { criacao: string; expiracao: number }
}

/** The charge's QR code, its code to copy, and until when; once it cannot be paid any more, that it has run out. */
export function pixCharge(charge: PixCharge, { now, language }: { now: Date; language: Language }): Html {
  const messages = MESSAGES[language]
  const { status, pixCopiaECola, pixQrCodeDataUrl, calendar } = charge
  const expiresAt = new Date(new Date(calendar.criacao).getTime() + calendar.expiracao * 1000)
  if (expiresAt <= now) return html`<p>${messages.pixExpired}</p>`
  if (status !== 'ATIVA') return html``
  return html`<h2>${messages.pixTitle}</h2>
    <img src="${pixQrCodeDataUrl}" alt="${messages.pixPicture}" width="300" height="300" />
    <label for="pix-code">${messages.pixCode}</label>
    <textarea id="pix-code" rows="5" readonly spellcheck="false">${pixCopiaECola}</textarea>
    <dl>${timeRow(messages.pixExpires, expiresAt, language)}</dl>`
}
