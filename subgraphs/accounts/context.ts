import { inTransaction, openDatabase, type Database } from '../../kernel/database.js'
import type { Logger } from '../../kernel/log.js'
import type { AccountsDeps } from './deps.js'
import { auditEntries } from './audit/store.js'
import { addBranding } from './branding/store/migrations/0020-branding.js'
import { brandingStore } from './branding/store/branding.js'
import { providerHealthStore } from './providers/store.js'
import { accountsStore } from './store/accounts.js'
import { ApiKeyEntity } from './store/api-key.entity.js'
import { IntegrationEntity } from './store/integration.entity.js'
import { createAccounts } from './store/migrations/0001-accounts.js'
import { narrowFiats } from './store/migrations/0002-tenant-fiats.js'
import { disableTenants } from './store/migrations/0003-disabled-tenants.js'
import { narrowKeys } from './store/migrations/0005-key-scopes.js'
import { PEOPLE_MIGRATIONS } from './people/store/schema.js'
import { keepKeyMakers } from './store/migrations/0013-key-makers.js'
import { searchTenants } from './store/migrations/0010-tenant-search.js'
import { tieKeysToIntegrations } from './store/migrations/0021-key-integrations.js'
import { keepOldestWebhookSecrets } from './store/migrations/0042-oldest-webhook-secrets.js'
import { lookPastHistories } from './store/migrations/0105-long-histories.js'
import { keepSecretsAndEnds } from './store/migrations/0106-secrets-and-ends.js'
import { findOpenDeliveries } from './store/migrations/0107-open-deliveries.js'
import { TenantEntity } from './store/tenant.entity.js'
import { WEBHOOK_ENTITIES, WEBHOOK_MIGRATIONS } from './webhooks/store/schema.js'
import { registeredEndpoints } from './webhooks/store/registered-endpoints.js'
import { notedAccesses } from './webhooks/store/noted-accesses.js'
import { storedAnswers } from './webhooks/store/stored-answers.js'
import { storedBodies } from './webhooks/store/stored-bodies.js'
import { webhookDeliveries } from './webhooks/store/webhook-deliveries.js'

/** Connects accounts to its PostgreSQL schema. */
export function openAccountsDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'accounts',
    entities: [TenantEntity, ApiKeyEntity, IntegrationEntity, ...WEBHOOK_ENTITIES],
    migrations: [
      { name: '0001-accounts', statements: createAccounts },
      ...WEBHOOK_MIGRATIONS,
      { name: '0002-tenant-fiats', statements: narrowFiats },
      { name: '0003-disabled-tenants', statements: disableTenants },
      ...PEOPLE_MIGRATIONS,
      { name: '0005-key-scopes', statements: narrowKeys },
      { name: '0010-tenant-search', statements: searchTenants },
      { name: '0013-key-makers', statements: keepKeyMakers },
      { name: '0020-branding', statements: addBranding },
      { name: '0021-key-integrations', statements: tieKeysToIntegrations },
      { name: '0042-oldest-webhook-secrets', statements: keepOldestWebhookSecrets },
      { name: '0105-long-histories', statements: lookPastHistories, isConcurrent: true },
      { name: '0106-secrets-and-ends', statements: keepSecretsAndEnds },
      { name: '0107-open-deliveries', statements: findOpenDeliveries, isConcurrent: true },
    ],
  })
}

/** What the database of accounts is not needed for. */
export type SharedDeps = Omit<
  AccountsDeps,
  | 'accounts'
  | 'auditEntries'
  | 'branding'
  | 'checkWebhookUrl'
  | 'notedAccesses'
  | 'providerHealth'
  | 'registeredEndpoints'
  | 'storedAnswers'
  | 'storedBodies'
  | 'transaction'
  | 'webhookDeliveries'
> &
  Partial<Pick<AccountsDeps, 'checkWebhookUrl'>>

/** The dependencies of every request, and of the command line; nothing of it belongs to one request. */
export function accountsDeps(db: Database, shared: SharedDeps): AccountsDeps {
  return {
    // Without a guard no address is set.
    checkWebhookUrl: () => Promise.resolve('cannot be checked here'),
    ...shared,
    accounts: accountsStore(db),
    auditEntries: auditEntries(db),
    branding: brandingStore(db),
    notedAccesses: notedAccesses(db, shared.clock),
    providerHealth: providerHealthStore(db),
    registeredEndpoints: registeredEndpoints(db),
    storedAnswers: storedAnswers(db),
    storedBodies: storedBodies(db),
    transaction: (work) => inTransaction(db, work),
    webhookDeliveries: webhookDeliveries(db, shared.clock),
  }
}
