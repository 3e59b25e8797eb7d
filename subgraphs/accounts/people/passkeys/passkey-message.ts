import { html } from '../../../../kernel/html.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import type { InvitationLanguage } from '../invitation-message.js'

/** What became of a passkey. */
export type PasskeyChange = 'added' | 'removed'

/** What the e-mail tells. */
export interface PasskeyFacts {
  change: PasskeyChange
  /** What the person calls it. */
  name: string
  at: Date
  /** From where: the address, and what the browser calls itself; null where that is not known. */
  address: string | null
  agent: string | null
  /** Of the console. */
  link: string
}

interface Words {
  locale: string
  subjects: Readonly<Record<PasskeyChange, string>>
  says: Readonly<Record<PasskeyChange, (name: string) => string>>
  when: string
  from: string
  advice: string
}

const WORDS: Readonly<Record<InvitationLanguage, Words>> = {
  en: {
    locale: 'en-GB',
    subjects: { added: 'A passkey was added', removed: 'A passkey was removed' },
    says: {
      added: (name) => `The passkey “${name}” was added: who has it signs in at the console as you.`,
      removed: (name) => `The passkey “${name}” was removed: nobody signs in at the console with it any more.`,
    },
    when: 'When',
    from: 'From where',
    advice: 'If that was not you, sign in with a code, remove the passkeys you do not know, and end all sessions',
  },
  pt: {
    locale: 'pt-BR',
    subjects: { added: 'Uma chave de acesso foi adicionada', removed: 'Uma chave de acesso foi removida' },
    says: {
      added: (name) => `A chave de acesso “${name}” foi adicionada: quem a tem entra no console como você.`,
      removed: (name) => `A chave de acesso “${name}” foi removida: ninguém entra mais no console com ela.`,
    },
    when: 'Quando',
    from: 'De onde',
    advice: 'Se não foi você, entre com um código, remova as chaves que não conhece e encerre todas as sessões',
  },
}

/** The e-mail to whom a passkey belongs or belonged. It carries no secret: who opens it signs in all the same. */
export function passkeyMessage(facts: PasskeyFacts, language: InvitationLanguage): Omit<MailMessage, 'to'> {
  const words = WORDS[language]
  const says = words.says[facts.change](facts.name)
  const time = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })
  const when = `${words.when}: ${time.format(facts.at)}`
  const origin = [facts.address, facts.agent].filter(Boolean).join(', ')
  const from = origin === '' ? '' : `${words.from}: ${origin}`
  return {
    subject: words.subjects[facts.change],
    text: `${says}\n\n${when}\n${from}\n\n${words.advice}: ${facts.link}\n`,
    html: html`<p>${says}</p>
      <p>${when}<br />${from}</p>
      <p>${words.advice}: <a href="${facts.link}">${facts.link}</a></p>`.text,
  }
}
