import { html } from '../../../kernel/html.js'
import type { MailMessage } from '../../../kernel/mailer.js'
import type { Role } from '../../../kernel/tenant.js'

/** The languages that invitations are written in: those of the console. */
export type InvitationLanguage = 'en' | 'pt'

/** What the e-mail tells. */
export interface InvitationFacts {
  tenantName: string
  /** The address of who invited; null where that was no person. */
  invitedBy: string | null
  role: Role
  /** Of the console. */
  link: string
  endsAt: Date
}

interface Words {
  locale: string
  subject: (tenant: string) => string
  invites: (tenant: string, inviter: string | null) => string
  role: string
  roles: Readonly<Record<Role, string>>
  signIn: string
  ends: (day: string) => string
  advice: string
}

const WORDS: Readonly<Record<InvitationLanguage, Words>> = {
  en: {
    locale: 'en-GB',
    subject: (tenant) => `You are invited to ${tenant}`,
    invites: (tenant, inviter) =>
      inviter === null
        ? `You are invited to the account “${tenant}”.`
        : `${inviter} invites you to the account “${tenant}”.`,
    role: 'Your role',
    roles: { owner: 'Owner', developer: 'Developer', support: 'Support', viewer: 'Viewer' },
    signIn: 'Sign in with this e-mail address to accept or decline',
    ends: (day) => `The invitation ends on ${day}.`,
    advice: 'If you do not know who invites you, ignore this e-mail: nothing happens then.',
  },
  pt: {
    locale: 'pt-BR',
    subject: (tenant) => `Você foi convidado para ${tenant}`,
    invites: (tenant, inviter) =>
      inviter === null
        ? `Você foi convidado para a conta “${tenant}”.`
        : `${inviter} convida você para a conta “${tenant}”.`,
    role: 'Seu papel',
    roles: { owner: 'Dono', developer: 'Desenvolvedor', support: 'Atendimento', viewer: 'Leitor' },
    signIn: 'Entre com este endereço de e-mail para aceitar ou recusar',
    ends: (day) => `O convite termina em ${day}.`,
    advice: 'Se você não conhece quem convida, ignore este e-mail: nada acontece.',
  },
}

/** The e-mail to who is invited. It carries no secret: who opens it signs in by a code all the same. */
export function invitationMessage(facts: InvitationFacts, language: InvitationLanguage): Omit<MailMessage, 'to'> {
  const words = WORDS[language]
  const invites = words.invites(facts.tenantName, facts.invitedBy)
  const role = `${words.role}: ${words.roles[facts.role]}`
  const day = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(facts.endsAt)
  const closing = `${words.ends(day)} ${words.advice}`
  return {
    subject: words.subject(facts.tenantName),
    text: `${invites}\n${role}\n\n${words.signIn}: ${facts.link}\n\n${closing}\n`,
    html: html`<p>${invites}<br />${role}</p>
      <p>${words.signIn}: <a href="${facts.link}">${facts.link}</a></p>
      <p>${closing}</p>`.text,
  }
}
