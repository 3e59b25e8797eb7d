import type { Pool } from 'pg'
import type { ChallengeIssuer } from '../../chains/wallet-proof/challenge-message.js'
import type { Wallet } from '../../chains/wallet-proof/wallet.js'
import type { Clock } from '../../kernel/clock.js'
import type { Transaction } from '../../kernel/database.js'
import type { JobRequest } from '../../kernel/jobs.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { Tenant } from '../../kernel/tenant.js'
import type { Identity } from './domain/identity.js'
import type { Refreshes } from './domain/refreshes.js'
import type { MailMessage } from '../../kernel/mailer.js'
import type { AccessLog } from './store/access-log.js'
import type { EmailOtpsStore } from './store/email-otps.js'
import type { LinkedEmailsStore } from './store/linked-emails.js'
import type { LostJobsStore } from './store/lost-jobs.js'
import type { PeopleStore } from './store/people.js'
import type { Person } from './store/person.entity.js'
import type { PersonEventsStore } from './store/person-events.js'
import type { ProviderEventsStore } from './store/provider-events.js'
import type { KycSession } from './store/session.entity.js'
import type { KycPersonRecord } from './store/session-reads.js'
import type { SessionsStore } from './store/sessions.js'
import type { WalletChallengesStore } from './store/wallet-challenges.js'
import type { Vault } from './vault.js'
import type { Verifier } from './verifiers/verifier.js'

/** What the deployment decides about verification. */
export interface KycSettings {
  /** Sessions that a tenant may create in any 30 days. */
  monthlyQuota: number
  /** How long an approval holds, in milliseconds. */
  approvalLifeMs: number
  /** Who asks wallets for their signature. */
  issuer: ChallengeIssuer
}

/** What the use cases of kyc are given; wired once, in `context.ts`. */
export interface KycDeps {
  clock: Clock
  log: Logger
  settings: KycSettings
  vault: Vault
  accessLog: AccessLog
  people: PeopleStore
  linkedEmails: LinkedEmailsStore
  sessions: SessionsStore
  emailOtps: EmailOtpsStore
  walletChallenges: WalletChallengesStore
  personEvents: PersonEventsStore
  providerEvents: ProviderEventsStore
  lostJobs: LostJobsStore
  /** For idempotency keys. */
  pool: Pool
  /** Runs a unit of work in one transaction. */
  transaction: <T>(work: (em: Transaction) => Promise<T>) => Promise<T>
  /** As `transaction`, at most once per idempotency key of the request. */
  once: <Answer extends object>(
    tenant: Tenant,
    work: (em: Transaction) => Promise<Answer>,
  ) => Promise<{ answer: Answer; replayed: boolean }>
  /** Adds a job in the transaction of the change that causes it. */
  addJob: (em: Transaction, job: JobRequest) => Promise<void>
  /** The provider that new sessions are made at; undefined where the deployment has none. */
  verifier: Verifier | undefined
  /** The provider of a stored session. */
  verifierOf: (name: string) => Verifier | undefined
  /** What the requests of the process know of each other's questions to providers. */
  refreshes: Refreshes
  /** Sends an e-mail. Throws provider_unavailable or provider_timeout. */
  sendMail: (message: MailMessage) => Promise<void>
  /** A one-time code: six digits, each code equally likely. */
  newCode: () => string
  /** A nonce for a challenge: letters and digits that nobody can guess. */
  newNonce: () => string
  /** Whether a wallet has signed a message. Throws provider_unavailable or provider_timeout. */
  isSignatureOf: (wallet: Wallet, message: string, signedBytes: string) => Promise<boolean>
  /** Reads the person of an identity, once for each person and request; those that are asked for together, together. */
  personBy: (tenantId: string, identity: Identity) => Promise<Person | undefined>
  sessionById: (tenantId: string, id: string) => Promise<KycSession | undefined>
  /** Reads a person with the session that counts, once for each person and request. */
  recordOf: (tenantId: string, personId: string) => Promise<KycPersonRecord | undefined>
  /** Whether the request asks for the payer of one payment only; each payment that asks says its id. */
  isOnlyPayer: (paymentId: string) => Promise<boolean>
  /** Writes down that the request's caller has had access to a person's data: once for each operation of a request. */
  logAccess: (tenantId: string, personId: string, operation: string) => Promise<void>
}

export type KycContext = SubgraphContext<KycDeps>
