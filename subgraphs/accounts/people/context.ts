import { randomInt } from 'node:crypto'
import type { Database } from '../../../kernel/database.js'
import { createMailer } from '../../../kernel/mailer.js'
import type { Logger } from '../../../kernel/log.js'
import { AppError } from '../../../kernel/errors.js'
import { actWriter } from '../audit/write-act.js'
import type { AccountsDeps } from '../deps.js'
import type { PeopleDeps, PeopleSettings } from './deps.js'
import { challengesStore } from './passkeys/store/challenges.js'
import { passkeysStore } from './passkeys/store/passkeys.js'
import { codesStore } from './store/codes.js'
import { invitationDeclinesStore } from './store/invitation-declines.js'
import { invitationMailsStore } from './store/invitation-mails.js'
import { invitationsStore } from './store/invitations.js'
import { knownBrowsersStore } from './store/known-browsers.js'
import { membersStore } from './store/members.js'
import { peopleStore } from './store/people.js'
import { sessionsStore } from './store/sessions.js'

/** Five guesses of a code hit one time in twenty million. */
const CODE_DIGITS = 8

/** How long the mail server may take for each step. */
const MAIL_TIMEOUT_MS = 10_000

/** What the deployment configures of people. */
export interface PeopleOptions extends PeopleSettings {
  /** Without a mail server nobody can sign in. */
  mail: { url: string; from: string } | undefined
}

/** What people are given besides what accounts have already, and what ends it. */
export function peopleDeps(
  db: Database,
  accounts: AccountsDeps,
  { mail, ...settings }: PeopleOptions,
  log: Logger,
): { deps: PeopleDeps; close: () => void } {
  const mailer = mail && createMailer({ ...mail, timeoutMs: MAIL_TIMEOUT_MS, log })
  const deps = {
    ...accounts,
    settings,
    people: peopleStore(db),
    members: membersStore(db),
    invitations: invitationsStore(db),
    invitationMails: invitationMailsStore(db),
    invitationDeclines: invitationDeclinesStore(db),
    sessions: sessionsStore(db),
    codes: codesStore(db),
    knownBrowsers: knownBrowsersStore(db),
    passkeys: passkeysStore(db),
    passkeyChallenges: challengesStore(db),
    writeAct: actWriter(accounts.clock),
    newCode: () => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0'),
    sendMail: async (message: Parameters<PeopleDeps['sendMail']>[0]) => {
      if (!mailer)
        throw new AppError('provider_unavailable', { cause: new Error('SMTP_URL is needed to send e-mails') })
      await mailer.send(message)
    },
  }
  return { deps, close: () => mailer?.close() }
}
