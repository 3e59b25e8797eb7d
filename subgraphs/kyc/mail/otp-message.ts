import { html } from '../../../kernel/html.js'
import type { MailMessage } from '../../../kernel/mailer.js'

/** The e-mail that carries a one-time code. The subject does not: it shows on locked screens. */
export function otpMessage(code: string, lifeMs: number): Omit<MailMessage, 'to'> {
  const minutes = Math.round(lifeMs / 60_000)
  const advice = `It works for ${minutes} minutes. If you did not ask for it, ignore this e-mail and tell nobody the code.`
  return {
    subject: 'Your verification code',
    text: `Your verification code is ${code}\n\n${advice}\n`,
    html: html`<p>Your verification code is</p>
      <p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>
      <p>${advice}</p>`.text,
  }
}
