import { randomBytes } from 'node:crypto'
import { keyRing } from '../../kernel/encryption.js'
import { idSource } from '../../kernel/ids.js'
import type { Clock } from '../../kernel/clock.js'
import { inTransaction } from '../../kernel/database.js'
import { createLog } from '../../kernel/log.js'
import type { Scope } from '../../kernel/permissions.js'
import { PRODUCTS, type Product, type Role } from '../../kernel/tenant.js'
import { accountsDeps, openAccountsDatabase } from '../../subgraphs/accounts/context.js'
import { WEBHOOK_SECRETS } from '../../subgraphs/accounts/deps.js'
import { changeIntegration } from '../../subgraphs/accounts/domain/change-integration.js'
import { createApiKey } from '../../subgraphs/accounts/domain/create-api-key.js'
import { createIntegration } from '../../subgraphs/accounts/domain/create-integration.js'
import { createTenant } from '../../subgraphs/accounts/domain/create-tenant.js'
import { limitFiats } from '../../subgraphs/accounts/domain/limit-fiats.js'
import { revokeApiKey } from '../../subgraphs/accounts/domain/revoke-api-key.js'
import { addMember } from '../../subgraphs/accounts/people/add-member.js'
import { peopleStore } from '../../subgraphs/accounts/people/store/people.js'
import { ending } from './at-end.js'
import type { WebhookReceiver } from './webhook-receiver.js'

/** A tenant as a test uses it: its key, and where its webhooks go. */
export interface TestTenant {
  id: string
  key: string
  keyId: string
  /** What `tenant_data` has to be, in REST names. */
  tenantData: { public_client_id: string; webhook_url: string }
}

/** What the dashboard of a deployment would do, done through the domain of accounts. */
export interface Dashboard {
  newTenant: (options?: { products?: readonly Product[] }) => Promise<TestTenant>
  newKey: (
    tenant: TestTenant,
    options: { expiresAt: Date | null; scopes?: readonly Scope[] },
  ) => Promise<{ key: string; keyId: string }>
  revoke: (keyId: string) => Promise<void>
  platformKey: () => Promise<string>
  /** Gives the tenant an integration under an id that it has had elsewhere. */
  addIntegration: (tenant: TestTenant, publicClientId: string) => Promise<void>
  /** Says where events of the tenant's own integration go when what they are about names no address: its receiver where left out. */
  setWebhookUrl: (tenant: TestTenant, url?: string | null) => Promise<void>
  /** Makes the person of an address a member of the tenant. */
  addMember: (tenant: TestTenant, email: string, role: Role) => Promise<void>
  /** Switches the tenant off. */
  disable: (tenant: TestTenant) => Promise<void>
  /** Narrows the fiat currencies of the tenant. */
  limitFiats: (tenant: TestTenant, fiats: readonly string[] | null) => Promise<void>
}

/** Opens accounts' own tables beside the running product. */
export async function openDashboard(options: {
  databaseUrl: string
  masterKey: Buffer
  clock: Clock
  hooks: WebhookReceiver
}): Promise<Dashboard> {
  const { databaseUrl, masterKey, clock, hooks } = options
  const db = ending(await openAccountsDatabase({ url: databaseUrl, poolSize: 2, log: createLog('silent') }))
  const deps = accountsDeps(db, {
    clock,
    newId: idSource(() => clock.now()),
    random: randomBytes,
    keyRing: keyRing([masterKey], WEBHOOK_SECRETS),
    publicClientIdPrefix: 'pk_',
    hasMarkets: false,
  })
  return {
    newTenant: async ({ products = PRODUCTS } = {}) => {
      const made = await createTenant(deps, { name: 'Shop', products, mode: 'test', webhookUrl: null })
      const { id } = made.tenant
      return {
        id,
        key: made.key,
        keyId: made.apiKey.id,
        tenantData: {
          public_client_id: made.integration.publicClientId,
          webhook_url: hooks.addressOf(id, made.webhookSecret),
        },
      }
    },
    newKey: async ({ id }, options) => {
      const made = await createApiKey(deps, { id }, { name: 'another', mode: 'test', ...options })
      return { key: made.key, keyId: made.apiKey.id }
    },
    revoke: async (keyId) => void (await revokeApiKey(deps, { keyId })),
    addIntegration: async (tenant, publicClientId) =>
      void (await createIntegration(deps, tenant, { publicClientId, webhookUrl: null })),
    setWebhookUrl: async (tenant, webhookUrl = tenant.tenantData.webhook_url) =>
      void (await changeIntegration(deps, tenant, { publicClientId: tenant.tenantData.public_client_id, webhookUrl })),
    addMember: ({ id: tenantId }, email, role) =>
      addMember(
        { ...deps, people: peopleStore(db), transaction: (work) => inTransaction(db, work) },
        { tenantId, email, role },
      ),
    disable: ({ id }) => deps.accounts.changeTenant(id, { disabledAt: clock.now() }),
    limitFiats: async (tenant, fiats) => void (await limitFiats(deps, tenant, { fiats })),
    platformKey: async () => (await createApiKey(deps, null, { name: 'platform', mode: 'test', expiresAt: null })).key,
  }
}
