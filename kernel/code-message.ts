import { html } from './html.js'
import type { MailMessage } from './mailer.js'

/**
 * The e-mail that carries a one-time code. The subject does not: it shows on locked screens.
 * @param where ends what says how long it works, e.g. `, in the console only`
 */
export function codeMessage(subject: string, code: string, lifeMs: number, where = ''): Omit<MailMessage, 'to'> {
  const minutes = Math.round(lifeMs / 60_000)
  const advice = `It works for ${minutes} minutes${where}. If you did not ask for it, ignore this e-mail and tell nobody the code.`
  return {
    subject,
    text: `${subject} is ${code}\n\n${advice}\n`,
    html: html`<p>${subject} is</p>
      <p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>
      <p>${advice}</p>`.text,
  }
}
