import { describe, expect, it } from 'vitest'
import { hashApiKey, parseApiKey } from './domain/api-key.js'
import { createApiKey } from './domain/create-api-key.js'
import { createIntegration } from './domain/create-integration.js'
import { createTenant, type CreatedTenant } from './domain/create-tenant.js'
import { keyStatus } from './domain/key-status.js'
import { revokeApiKey } from './domain/revoke-api-key.js'
import { rotateWebhookSecret } from './domain/rotate-webhook-secret.js'
import { webhookSecrets } from './domain/webhook-secrets.js'
import { startAccountsHarness } from '../../test/harness/accounts.js'

const accounts = await startAccountsHarness()

const newTenant = (name = 'Shop'): Promise<CreatedTenant> =>
  createTenant(accounts.deps, { name, products: ['crypto', 'pix'], mode: 'test', webhookUrl: null })
const statusOf = (key: string) => keyStatus(accounts.deps, { hash: hashApiKey(key) })
const testKey = { name: 'key', mode: 'test', expiresAt: null } as const

/** Everything that the database holds of accounts, as text. */
async function allRows(): Promise<string> {
  const tables = ['tenant', 'api_key', 'integration']
  const rows = await Promise.all(tables.map((table) => accounts.db.pool.query(`select * from accounts.${table}`)))
  return JSON.stringify(rows.map((result) => result.rows))
}

describe('tenants', () => {
  it('begin with a key and a default integration', async () => {
    const { tenant, key, integration, webhookSecret } = await newTenant()
    expect(parseApiKey(key)).toEqual({ mode: 'test' })
    expect(await statusOf(key)).toMatchObject({ tenantId: tenant.id, products: ['crypto', 'pix'], expiresAt: null })
    expect(integration.publicClientId).toMatch(/^pk_[0-9a-f]{32}$/)
    expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await accounts.deps.accounts.findIntegration(tenant.id, null)).toMatchObject(integration)
  })

  it('need a name', async () => {
    await expect(newTenant('  ')).rejects.toMatchObject({ code: 'invalid_parameters' })
  })

  it('do not see the keys and integrations of others', async () => {
    const [one, other] = [await newTenant('one'), await newTenant('other')]
    const { publicClientId } = other.integration
    expect(await accounts.deps.accounts.findIntegration(one.tenant.id, publicClientId)).toBeUndefined()
    expect((await accounts.deps.accounts.listKeys(one.tenant.id)).map(({ id }) => id)).toEqual([one.apiKey.id])
    expect(await webhookSecrets(accounts.deps, { id: one.tenant.id }, { publicClientId })).toEqual([one.webhookSecret])
    await expect(rotateWebhookSecret(accounts.deps, one.tenant, { publicClientId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('API keys', () => {
  it('are nowhere in the database, only their hash and first 12 characters', async () => {
    const { key, apiKey } = await newTenant()
    const rows = await allRows()
    expect(rows).not.toContain(key.slice(12))
    expect(rows).toContain(hashApiKey(key))
    expect(apiKey.prefix).toBe(key.slice(0, 12))
  })

  it('give no access once they are revoked, while the others of the tenant go on', async () => {
    const { tenant, key, apiKey } = await newTenant()
    const second = await createApiKey(accounts.deps, tenant, { ...testKey, mode: 'live' })
    const revoked = await revokeApiKey(accounts.deps, { keyId: apiKey.id })
    expect(revoked.revokedAt).toEqual(expect.any(Date))
    expect(await statusOf(key)).toBeNull()
    expect(await statusOf(second.key)).toMatchObject({ keyId: second.apiKey.id })
    accounts.clock.advance(1_000)
    expect(await revokeApiKey(accounts.deps, { keyId: apiKey.id })).toEqual(revoked)
  })

  it('give no access once they are expired', async () => {
    const { tenant } = await newTenant()
    const expiresAt = new Date(accounts.clock.now().getTime() + 60_000)
    const { key } = await createApiKey(accounts.deps, tenant, { ...testKey, expiresAt })
    expect(await statusOf(key)).toMatchObject({ expiresAt })
    accounts.clock.advance(60_000)
    expect(await statusOf(key)).toBeNull()
  })

  it('cannot be created expired, nor for a tenant that does not exist', async () => {
    const { tenant } = await newTenant()
    const expired = { ...testKey, expiresAt: accounts.clock.now() }
    await expect(createApiKey(accounts.deps, tenant, expired)).rejects.toMatchObject({ code: 'invalid_parameters' })
    await expect(createApiKey(accounts.deps, { id: 'cnobody' }, testKey)).rejects.toMatchObject({ code: 'not_found' })
    await expect(revokeApiKey(accounts.deps, { keyId: 'cnothing' })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('of the platform belong to no tenant', async () => {
    const { key, apiKey } = await createApiKey(accounts.deps, null, testKey)
    expect(await statusOf(key)).toEqual({
      keyId: apiKey.id,
      tenantId: null,
      products: [],
      fiats: null,
      scopes: null,
      publicClientId: null,
      expiresAt: null,
    })
    expect((await accounts.deps.accounts.listKeys(null)).map(({ id }) => id)).toContain(apiKey.id)
  })

  it('that were never made give no access', async () => {
    expect(await statusOf('sk_test_unknown')).toBeNull()
  })
})

describe('webhook secrets', () => {
  it('are not in clear in the database', async () => {
    const { webhookSecret } = await newTenant()
    const rows = await allRows()
    expect(rows).not.toContain(webhookSecret)
    expect(rows).not.toContain(webhookSecret.slice('whsec_'.length, -1))
  })

  it('do not open in the row of another tenant', async () => {
    const [one, other] = [await newTenant('one'), await newTenant('other')]
    await accounts.db.pool.query(
      'update accounts.integration set webhook_secret = (select webhook_secret from accounts.integration where tenant_id = $1) where tenant_id = $2',
      [one.tenant.id, other.tenant.id],
    )
    await expect(webhookSecrets(accounts.deps, { id: other.tenant.id }, { publicClientId: null })).rejects.toThrow()
  })

  it("are the named integration's, and the default one's for a name of nobody", async () => {
    const { tenant, webhookSecret } = await newTenant()
    const second = await createIntegration(accounts.deps, tenant, { webhookUrl: 'https://shop.example/hook' })
    const secretsOf = (publicClientId: string | null) =>
      webhookSecrets(accounts.deps, { id: tenant.id }, { publicClientId })
    expect(await secretsOf(second.integration.publicClientId)).toEqual([second.webhookSecret])
    expect(await secretsOf(null)).toEqual([webhookSecret])
    expect(await secretsOf('pk_unknown')).toEqual([webhookSecret])
    expect(await webhookSecrets(accounts.deps, { id: 'cnobody' }, { publicClientId: null })).toEqual([])
  })

  it('sign beside the new one for 24 hours after a rotation', async () => {
    const { tenant, integration, webhookSecret } = await newTenant()
    const { secret } = await rotateWebhookSecret(accounts.deps, tenant, integration)
    const valid = () => webhookSecrets(accounts.deps, tenant, { publicClientId: null })
    expect(await valid()).toEqual([secret, webhookSecret])
    accounts.clock.advance(24 * 3_600_000)
    expect(await valid()).toEqual([secret])
  })
})
