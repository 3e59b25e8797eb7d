import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../kernel/log.js'
import { localExecutor } from '../../kernel/local-executor.js'
import { schemaOf } from '../../kernel/subgraph-schema.js'
import { hashIfApiKey, isApiKey, newApiKey } from '../../subgraphs/accounts/domain/api-key.js'
import { createTenant } from '../../subgraphs/accounts/domain/create-tenant.js'
import { revokeApiKey } from '../../subgraphs/accounts/domain/revoke-api-key.js'
import { startAccountsHarness } from '../../test/harness/accounts.js'
import { accountsSubgraph } from '../../subgraphs/accounts/subgraph.js'
import { createAuthentication } from './authenticate.js'
import { keyStatusFrom } from './key-status.js'

const accounts = await startAccountsHarness()
const execute = localExecutor(schemaOf(accountsSubgraph), () => accounts.deps, createLog('silent'))
const authentication = createAuthentication({
  clock: accounts.clock,
  hashKey: hashIfApiKey,
  isKey: isApiKey,
  keyStatus: keyStatusFrom(execute, accounts.deps.newId),
  products: ['pix', 'kyc'],
  apiKeyHeader: 'exact',
  limitPerMinute: 600,
})

const send = (key: string) => authentication.check(['x-api-key', key], '127.0.0.1')

describe('the authentication on the accounts subgraph', () => {
  it('lets a key in until 5 seconds after its revocation at the latest', async () => {
    const input = { name: 'Shop', products: ['crypto', 'pix'], mode: 'test', webhookUrl: null } as const
    const { key, apiKey, tenant } = await createTenant(accounts.deps, input)
    expect(await send(key)).toMatchObject({
      kind: 'ok',
      caller: { tenantId: tenant.id, keyId: apiKey.id, products: ['pix'] },
    })
    await revokeApiKey(accounts.deps, { keyId: apiKey.id })
    accounts.clock.advance(4_500)
    expect(await send(key)).toMatchObject({ kind: 'unauthorized' })
  })

  it('turns away well-formed keys that were never made, and garbage', async () => {
    expect(await send(newApiKey('live', randomBytes))).toMatchObject({ kind: 'unauthorized' })
    expect(await send('garbage')).toMatchObject({ kind: 'unauthorized' })
  })

  it('fails when accounts cannot tell, without naming the key', async () => {
    const failing = keyStatusFrom(
      async () => ({ data: null }),
      () => 'request',
    )
    await expect(failing('hash of a key')).rejects.toThrow(/^the status of a key cannot be found out$/)
  })
})
