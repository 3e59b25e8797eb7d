import { html } from '../../../kernel/html.js'
import type { MailMessage } from '../../../kernel/mailer.js'
import type { CodePurpose } from './store/codes.js'

const SUBJECTS: Readonly<Record<CodePurpose, string>> = {
  'sign-in': 'Your sign-in code',
  prove: 'Your confirmation code',
}

/** The e-mail that carries a code. The subject does not: it shows on locked screens. */
export function codeMessage(purpose: CodePurpose, code: string, lifeMs: number): Omit<MailMessage, 'to'> {
  const subject = SUBJECTS[purpose]
  const minutes = Math.round(lifeMs / 60_000)
  const advice = `It works for ${minutes} minutes, in the console only. If you did not ask for it, ignore this e-mail and tell nobody the code.`
  return {
    subject,
    text: `${subject} is ${code}\n\n${advice}\n`,
    html: html`<p>${subject} is</p>
      <p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>
      <p>${advice}</p>`.text,
  }
}
