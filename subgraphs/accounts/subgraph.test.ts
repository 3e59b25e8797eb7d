import 'reflect-metadata'
import { getNamedType, isLeafType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { localExecutor } from '../../kernel/local-executor.js'
import type { Caller } from '../../kernel/tenant.js'
import { hashApiKey } from './domain/api-key.js'
import { createTenant } from './domain/create-tenant.js'
import { startAccountsHarness } from '../../test/harness/accounts.js'
import { accountsSubgraph } from './subgraph.js'

const accounts = await startAccountsHarness()
const { schema } = accountsSubgraph()
const execute = localExecutor(schema, () => accounts.deps, createLog('silent'))
const input = { name: 'Shop', products: ['crypto', 'credit_card'], mode: 'test', webhookUrl: null } as const
const shop = await createTenant(accounts.deps, input)

const platform: Caller = { tenantId: null, keyId: 'ckey', products: ['pix', 'kyc'] }
const tenant = (): Caller => ({ tenantId: shop.tenant.id, keyId: 'ckey', products: ['crypto', 'credit_card'] })
const ask = (query: string, caller: Caller, variables = {}) =>
  execute({ document: parse(query), variables, context: { requestId: 'request', caller } })

describe('the accounts subgraph', () => {
  it("answers a tenant's own account", async () => {
    const query = `{ account { id name createdAt products { crypto pix creditCard kyc } integrations { publicClientId createdAt } } }`
    const { publicClientId, createdAt } = shop.integration
    expect(await ask(query, tenant())).toEqual({
      data: {
        account: {
          id: shop.tenant.id,
          name: 'Shop',
          createdAt: shop.tenant.createdAt.toISOString(),
          products: { crypto: true, pix: false, creditCard: true, kyc: false },
          integrations: [{ publicClientId, createdAt: createdAt.toISOString() }],
        },
      },
    })
  })

  it('has no account for a platform key, but its products', async () => {
    const { errors } = await ask('{ account { id } }', platform)
    expect(errors?.[0]?.extensions['code']).toBe('CUSTOMER_NOT_LOGGED')
    expect(await ask('{ products { crypto pix creditCard kyc } }', platform)).toEqual({
      data: { products: { crypto: false, pix: true, creditCard: false, kyc: true } },
    })
  })

  it('tells the gateway the status of a key, and null of any other', async () => {
    const query = 'query ($hash: String!) { apiKeyStanding(hash: $hash) { keyId tenantId products expiresAt } }'
    expect(await ask(query, platform, { hash: hashApiKey(shop.key) })).toEqual({
      data: {
        apiKeyStanding: {
          keyId: shop.apiKey.id,
          tenantId: shop.tenant.id,
          products: ['crypto', 'credit_card'],
          expiresAt: null,
        },
      },
    })
    expect(await ask(query, platform, { hash: 'unknown' })).toEqual({ data: { apiKeyStanding: null } })
    const { errors } = await ask(query, tenant(), { hash: hashApiKey(shop.key) })
    expect(errors?.[0]?.extensions['code']).toBe('UNAUTHORIZED')
  })

  it('tells other subgraphs the default integration of the tenant who calls', async () => {
    const query = 'query ($id: ID) { integration(publicClientId: $id) { publicClientId webhookUrl isDefault } }'
    const { publicClientId } = shop.integration
    const found = { data: { integration: { publicClientId, webhookUrl: null, isDefault: true } } }
    expect(await ask(query, tenant())).toEqual(found)
    expect(await ask(query, tenant(), { id: publicClientId })).toEqual(found)
    expect(await ask(query, tenant(), { id: 'pk_unknown' })).toEqual({ data: { integration: null } })
    expect(await ask(query, { ...tenant(), tenantId: 'cother' }, { id: publicClientId })).toEqual({
      data: { integration: null },
    })
  })

  it('hides from clients what is only for the gateway and other subgraphs', () => {
    const { sdl } = accountsSubgraph()
    expect(sdl).toMatch(/apiKeyStanding\([^)]*\): KeyStanding @inaccessible/)
    expect(sdl).toMatch(/type KeyStanding @inaccessible/)
    expect(sdl).toMatch(/integration\([^)]*\): Integration @inaccessible/)
  })

  it('has no secret in any field but the answers of the acts that make one', () => {
    const strings = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => isLeafType(getNamedType(field.type)))
          .map((field) => `${type.name}.${field.name}`),
      )
    expect(strings.filter((name) => /secret$|plaintext$|\.key$/i.test(name)).toSorted()).toEqual([
      'CreatedApiKey.key',
      'CreatedWebhookEndpoint.secret',
      'RotatedWebhookSecret.secret',
    ])
  })
})
