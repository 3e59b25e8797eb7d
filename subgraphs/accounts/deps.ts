import type { CheckAddress } from '../../kernel/address-guard.js'
import type { Clock } from '../../kernel/clock.js'
import type { Transaction } from '../../kernel/database.js'
import type { KeyRing } from '../../kernel/encryption.js'
import type { IdSource } from '../../kernel/ids.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { AuditEntries } from './audit/store.js'
import type { RandomBytes } from './domain/api-key.js'
import type { BrandingStore } from './branding/store/branding.js'
import type { ProviderHealthStore } from './providers/store.js'
import type { AccountsStore } from './store/accounts.js'
import type { WebhookReadDeps } from './webhooks/deps.js'
import type { NotedAccesses } from './webhooks/store/noted-accesses.js'
import type { StoredAnswers } from './webhooks/store/stored-answers.js'
import type { StoredBodies } from './webhooks/store/stored-bodies.js'

/** The purpose for which the key ring of accounts is derived from the deployment's master key. */
export const WEBHOOK_SECRETS = 'webhook-secrets'

/** What the use cases of accounts are given; wired once, in `context.ts`. */
export interface AccountsDeps extends WebhookReadDeps {
  clock: Clock
  newId: IdSource
  random: RandomBytes
  /** Seals the webhook secrets, the bodies of deliveries that carry people's data, and what receivers answered. */
  keyRing: KeyRing
  /** What the public id of a new integration begins with; 32 hex characters follow. */
  publicClientIdPrefix: string
  /** Whether the deployment has lending markets that are switched on. */
  hasMarkets: boolean
  accounts: AccountsStore
  auditEntries: AuditEntries
  branding: BrandingStore
  providerHealth: ProviderHealthStore
  notedAccesses: NotedAccesses
  storedAnswers: StoredAnswers
  storedBodies: StoredBodies
  transaction: <T>(work: (em: Transaction) => Promise<T>) => Promise<T>
  /** Why events cannot be sent to an address; undefined where they can. */
  checkWebhookUrl: CheckAddress
  /** Whether sites on this machine may do without https; in the sandbox only. */
  allowsLoopback?: boolean
}

export type AccountsContext = SubgraphContext<AccountsDeps>
