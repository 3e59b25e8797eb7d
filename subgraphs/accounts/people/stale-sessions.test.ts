import 'reflect-metadata'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../../kernel/log.js'
import { localExecutor } from '../../../kernel/local-executor.js'
import { schemaOf } from '../../../kernel/subgraph-schema.js'
import type { Caller, Role } from '../../../kernel/tenant.js'
import { startAccountsHarness } from '../../../test/harness/accounts.js'
import { authenticator } from '../../../test/harness/authenticator.js'
import { ownPool, query } from '../../../test/harness/database.js'
import { until } from '../../../test/harness/until.js'
import { createTenant } from '../domain/create-tenant.js'
import { accountsSubgraph } from '../subgraph.js'
import { testPeopleDeps } from './fixtures/people-deps.js'

const accounts = await startAccountsHarness()
const deps = { ...testPeopleDeps(accounts), checkWebhookUrl: () => Promise.resolve(undefined) }
const execute = localExecutor(schemaOf(accountsSubgraph), () => deps as never, createLog('silent'))
const pool = ownPool(accounts.url, 1)
const HOOK = 'https://shop.example/hook'

/** What a role lets a person do that is there when the session is over. */
const LASTING: Readonly<Record<string, string>> = {
  createApiKey: 'createApiKey(input: { name: "shop", scopes: ["orders:read"] }) { errors { code } }',
  revokeApiKey: 'revokeApiKey(id: $key) { errors { code } }',
  setWebhookAddress: `setWebhookAddress(publicClientId: $integration, url: "${HOOK}") { errors { code } }`,
  rotateWebhookSecret: 'rotateWebhookSecret(publicClientId: $integration) { errors { code } }',
  createWebhookEndpoint: `createWebhookEndpoint(input: { url: "${HOOK}" }) { errors { code } }`,
  updateWebhookEndpoint: `updateWebhookEndpoint(id: $endpoint, input: { url: "${HOOK}/other" }) { errors { code } }`,
  rotateWebhookEndpointSecret: 'rotateWebhookEndpointSecret(id: $endpoint) { errors { code } }',
  deleteWebhookEndpoint: 'deleteWebhookEndpoint(id: $endpoint) { errors { code } }',
  updateBranding: 'updateBranding(input: { embedOrigins: ["https://shop.example"] }) { errors { code } }',
  invitePerson: 'invitePerson(input: { email: "guest@example.com", role: OWNER }) { errors { code } }',
  resendInvitation: 'resendInvitation(id: $invitation) { errors { code } }',
  changePersonRole: 'changePersonRole(id: $invitation, role: OWNER) { errors { code } }',
  removePerson: 'removePerson(id: $invitation) { errors { code } }',
}
const OWN: Readonly<Record<string, string>> = {
  addPasskey: 'addPasskey(input: { name: "x", credential: $credential }) { errors { code } }',
  removePasskey: 'removePasskey(id: $passkey) { errors { code } }',
}
const TYPES = {
  key: 'ID!',
  integration: 'ID!',
  endpoint: 'ID!',
  invitation: 'ID!',
  passkey: 'ID!',
  credential: 'JSON!',
}

/** What the acts may have changed. */
const TABLES = ['api_key', 'integration', 'registered_endpoint', 'branding', 'invitation', 'passkey']
const kept = () =>
  Promise.all(
    TABLES.map((table) =>
      query(accounts.url, `select md5(string_agg(t::text, ',' order by t::text)) from accounts.${table} t`),
    ),
  )

/** A mutation as it answers a caller that the gateway has looked up a moment ago. @returns the code of its error, or its answer */
async function act(caller: Caller, field: string, ids: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const used = Object.entries(TYPES).filter(([name]) => field.includes(`$${name}`))
  const declared = used.map(([name, type]) => `$${name}: ${type}`).join(', ')
  const document = parse(`mutation${declared && `(${declared})`} { ${field} }`)
  const variables = Object.fromEntries(used.map(([name]) => [name, ids[name]]))
  const text = JSON.stringify(await execute({ document, variables, context: { requestId: 'request', caller } }))
  return /"code":"(\w+)"/.exec(text)?.[1] ?? text
}

const DONE = /"errors":\[\]/

let count = 0
/** Somebody who is signed in with a role at a tenant. */
async function somebody(tenantId: string, role: Role): Promise<Caller & { person: { id: string; sessionId: string } }> {
  const [id, sessionId, email] = [deps.newId(), deps.newId(), `someone${(count += 1)}@example.com`]
  const now = deps.clock.now()
  await deps.transaction(async (em) => {
    await deps.people.know(em, { id, email, now, isVerified: true })
    await deps.people.join(em, { tenantId, personId: id, role, now })
    await deps.sessions.add(em, { id: sessionId, hash: sessionId, personId: id, tenantId, address: '', agent: '', now })
  })
  const person = { id, email, role, provenAt: now.toISOString(), sessionId }
  return { tenantId, keyId: `person:${id}`, products: [], person }
}

/** Two owners of a tenant, of whom the second has something of each kind to act on. */
async function twoOwners() {
  const { tenant, integration, apiKey } = await createTenant(deps, {
    ...{ name: 'Shop', products: [], mode: 'test', webhookUrl: null },
  })
  const [first, second] = [await somebody(tenant.id, 'owner'), await somebody(tenant.id, 'owner')]
  const made = async (field: string): Promise<string> => /"id":"(\w+)"/.exec(await act(second, field))?.[1] ?? 'none'
  const optionsOf = async (): Promise<unknown> => {
    const text = await act(second, 'startPasskey { passkeyCreation { options } }')
    const { data } = JSON.parse(text) as { data: { startPasskey: { passkeyCreation: { options: unknown } } } }
    return data.startPasskey.passkeyCreation.options
  }
  const credential = async (): Promise<object> => authenticator('http://localhost').create(await optionsOf())
  await act(second, OWN['addPasskey'] ?? '', { credential: await credential() })
  const [passkey] = await deps.passkeys.list(second.person.id)
  const ids = {
    ...{ key: apiKey.id, integration: integration.publicClientId, passkey: passkey?.id },
    endpoint: await made(
      `createWebhookEndpoint(input: { url: "${HOOK}" }) { createdWebhookEndpoint { webhookEndpoint { id } } }`,
    ),
    invitation: await made(
      `invitePerson(input: { email: "invited${count}@example.com", role: VIEWER }) { person { id } }`,
    ),
    credential: await credential(),
  }
  return { first, second, ids, tenantId: tenant.id }
}

describe('what outlives a session', () => {
  it('is done by who may', async () => {
    const { second, ids } = await twoOwners()
    for (const [name, field] of Object.entries({ ...LASTING, ...OWN }))
      expect([name, await act(second, field, ids)]).toEqual([name, expect.stringMatching(DONE)])
  })

  it.each(['removePerson(id: $key, revokeKeys: true)', 'changePersonRole(id: $key, role: VIEWER, revokeKeys: true)'])(
    'is refused from the moment on at which the role is gone: %s',
    async (change) => {
      const { first, second, ids } = await twoOwners()
      expect(await act(first, `${change} { errors { code } }`, { key: second.person.id })).toMatch(DONE)
      const before = await kept()
      for (const [name, field] of Object.entries(LASTING))
        expect([name, await act(second, field, ids)]).toEqual([name, 'PERMISSION_DENIED'])
      expect(await kept()).toEqual(before)
    },
  )

  it('is refused from the moment on at which the session is ended', async () => {
    const { second, ids } = await twoOwners()
    await deps.sessions.endOwn(second.person.id, second.person.sessionId)
    const before = await kept()
    for (const [name, field] of Object.entries({ ...LASTING, ...OWN }))
      expect([name, await act(second, field, ids)]).toEqual([name, 'UNAUTHORIZED'])
    expect(await kept()).toEqual(before)
  })

  it('is a key with no more scopes than the role of now has', async () => {
    const { first, second } = await twoOwners()
    const change = 'changePersonRole(id: $key, role: DEVELOPER) { errors { code } }'
    expect(await act(first, change, { key: second.person.id })).toMatch(DONE)
    const field = (scope: string) => `createApiKey(input: { name: "x", scopes: ["${scope}"] }) { errors { code } }`
    expect(await act(second, field('refunds:write'))).toBe('VALIDATION_ERROR')
    expect(await act(second, field('orders:read'))).toMatch(DONE)
  })

  it.each(Object.keys(LASTING))('waits for a change of the role that is under way: %s', async (name) => {
    const { second, ids, tenantId } = await twoOwners()
    const before = await kept()
    const client = await pool.connect()
    try {
      await client.query('begin')
      const values = [tenantId, second.person.id]
      await client.query(
        `update accounts.membership set role = 'viewer' where tenant_id = $1 and person_id = $2`,
        values,
      )
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const answer = act(second, LASTING[name] ?? '', ids)
      await until('it waits', async () => {
        const waits = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
        return (await query(accounts.url, waits, [rows[0]?.pid])).length > 0
      })
      await client.query('commit')
      expect(await answer).toBe('PERMISSION_DENIED')
    } finally {
      client.release()
    }
    expect(await kept()).toEqual(before)
  })
})
