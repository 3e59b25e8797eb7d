import type { Clock } from '../../../kernel/clock.js'
import type { Transaction } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { MailMessage } from '../../../kernel/mailer.js'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import type { Product } from '../../../kernel/tenant.js'
import type { ApiKeyMode } from '../domain/api-key.js'
import type { WriteAct } from '../audit/write-act.js'
import type { NewIntegrationDeps } from '../domain/new-integration.js'
import type { AccountsStore } from '../store/accounts.js'
import type { RelyingParty } from './passkeys/relying-party.js'
import type { ChallengesStore } from './passkeys/store/challenges.js'
import type { PasskeysStore } from './passkeys/store/passkeys.js'
import type { CodesStore } from './store/codes.js'
import type { InvitationDeclinesStore } from './store/invitation-declines.js'
import type { InvitationMailsStore } from './store/invitation-mails.js'
import type { InvitationsStore } from './store/invitations.js'
import type { KnownBrowsersStore } from './store/known-browsers.js'
import type { MembersStore } from './store/members.js'
import type { PeopleStore } from './store/people.js'
import type { SessionsStore } from './store/sessions.js'

/** What the deployment decides about people. */
export interface PeopleSettings {
  /** The addresses, in lower case, of the deployment's own people. */
  operatorEmails: ReadonlySet<string>
  /** Of the hashes of one-time codes, 32 bytes. */
  codeKey: Buffer
  /** What a tenant may use that a person makes; an operator may give it more. */
  newTenantProducts: readonly Product[]
  /** Of the keys that people make. */
  keyMode: ApiKeyMode
  /** What passkeys are bound to. */
  relyingParty: RelyingParty
  /** Where people sign in. */
  consoleUrl: string
}

/** What the use cases of people are given. */
export interface PeopleDeps extends NewIntegrationDeps {
  clock: Clock
  newId: IdSource
  settings: PeopleSettings
  people: PeopleStore
  members: MembersStore
  invitations: InvitationsStore
  invitationMails: InvitationMailsStore
  invitationDeclines: InvitationDeclinesStore
  sessions: SessionsStore
  codes: CodesStore
  knownBrowsers: KnownBrowsersStore
  passkeys: PasskeysStore
  passkeyChallenges: ChallengesStore
  accounts: AccountsStore
  /** Writes down what a person does with the own session. */
  writeAct: WriteAct
  transaction: <T>(work: (em: Transaction) => Promise<T>) => Promise<T>
  /** Eight digits. */
  newCode: () => string
  /** @throws provider_unavailable, provider_timeout */
  sendMail: (message: MailMessage) => Promise<void>
}

export type PeopleContext = SubgraphContext<PeopleDeps>
