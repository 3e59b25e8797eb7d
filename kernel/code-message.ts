import { html } from './html.js'
import type { MailMessage } from './mailer.js'

/** What e-mails with one-time codes are written in. */
export type CodeLanguage = 'en' | 'pt' | 'es'

interface Words {
  is: string
  advice: (minutes: number, where: string) => string
}

const WORDS: Readonly<Record<CodeLanguage, Words>> = {
  en: {
    is: 'is',
    advice: (minutes, where) =>
      `It works for ${minutes} minutes${where}. If you did not ask for it, ignore this e-mail and tell nobody the code.`,
  },
  pt: {
    is: 'é',
    advice: (minutes, where) =>
      `Ele vale por ${minutes} minutos${where}. Se você não o pediu, ignore este e-mail e não diga o código a ninguém.`,
  },
  es: {
    is: 'es',
    advice: (minutes, where) =>
      `Vale durante ${minutes} minutos${where}. Si no lo pediste, ignora este correo y no digas el código a nadie.`,
  },
}

/** What an e-mail tells of a code. */
export interface CodeFacts {
  /** What the code is, in the language; the subject too, which does not have the code: it shows on locked screens. */
  subject: string
  code: string
  lifeMs: number
  language: CodeLanguage
  /** Ends what says how long it works, e.g. `, in the console only`. */
  where?: string
}

/** The e-mail that carries a one-time code. */
export function codeMessage({ subject, code, lifeMs, language, where = '' }: CodeFacts): Omit<MailMessage, 'to'> {
  const words = WORDS[language]
  const advice = words.advice(Math.round(lifeMs / 60_000), where)
  return {
    subject,
    text: `${subject} ${words.is} ${code}\n\n${advice}\n`,
    html: html`<p>${subject} ${words.is}</p>
      <p style="font-size:28px;letter-spacing:4px"><strong>${code}</strong></p>
      <p>${advice}</p>`.text,
  }
}
