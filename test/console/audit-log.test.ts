import { describe, expect, it } from 'vitest'
import { auditCli } from '../../subgraphs/accounts/cli/audit-cli.js'
import { tenantCli } from '../../subgraphs/accounts/cli/tenant-cli.js'
import { type ConsoleBrowser, newOwner, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
/** So far apart as clocks never are; three of them are less than a proof is good for. */
const APART_MS = 3 * 60_000

interface Entry {
  actorKind: string
  actorEmail: string | null
  actorId: string
  tenantId: string | null
  operation: string
  subjects: Record<string, string>
  outcome: string | null
  resultId: string | null
  address: string | null
  agent: string | null
}

const LOG = `query ($first: Int, $after: String, $filter: AuditFilterInput) { auditLog(first: $first, after: $after, filter: $filter) {
  edges { node { id at tenantId actorKind actorId actorEmail operation subjects address agent requestId outcome resultId } }
  pageInfo { hasNextPage endCursor }
} }`

interface LogPage {
  edges: { node: Entry }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

async function read(browser: ConsoleBrowser, variables: object = {}): Promise<LogPage> {
  const { body, text } = await browser.graphql(LOG, variables)
  if (!body.data?.['auditLog']) throw new Error(text)
  return body.data['auditLog'] as LogPage
}

const entriesOf = async (browser: ConsoleBrowser, variables: object = {}): Promise<Entry[]> =>
  (await read(browser, variables)).edges.map(({ node }) => node)

const CREATE_KEY =
  'mutation ($name: String!) { createApiKey(input: { name: $name }) { createdApiKey { key apiKey { id } } } }'
const agent = { 'user-agent': `Firefox ${'x'.repeat(400)}` }

describe('the audit log', () => {
  it('tells its owner who did what, when and from where, and nothing that is secret', async () => {
    const { browser, email, tenantId } = await newOwner(harness)
    const made = await browser.graphql(CREATE_KEY, { name: 'my-secret-name' }, agent)
    const { key, apiKey } = (
      made.body.data?.['createApiKey'] as { createdApiKey: { key: string; apiKey: { id: string } } }
    ).createdApiKey
    await browser.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id } } }', { id: apiKey.id })
    await browser.graphql('mutation { revokeApiKey(id: "cmissing00000000000000000") { errors { code } } }')
    const entries = await entriesOf(browser)
    const person = { actorKind: 'PERSON', actorEmail: email, tenantId, address: '127.0.0.1' }
    expect(entries).toMatchObject([
      { ...person, operation: 'revokeApiKey', subjects: { id: 'cmissing00000000000000000' }, outcome: 'not_found' },
      { ...person, operation: 'revokeApiKey', subjects: { id: apiKey.id }, outcome: 'done', resultId: apiKey.id },
      { ...person, operation: 'createApiKey', subjects: {}, outcome: 'done', resultId: apiKey.id },
      { ...person, operation: 'createTenant', outcome: 'done' },
    ])
    expect(entries[2]?.agent).toBe(agent['user-agent'].slice(0, 200))
    const [row] = await harness.sql('select json_agg(e)::text as stored from kernel.audit_entry e')
    for (const secret of [key, 'my-secret-name', browser.cookie()?.split('=')[1]])
      expect(row?.['stored']).not.toContain(secret)
  })

  it('has pages and a filter, and shows nobody what was done elsewhere', async () => {
    const [one, other] = [await newOwner(harness), await newOwner(harness)]
    for (const name of ['a', 'b', 'c']) await one.browser.graphql(CREATE_KEY, { name })
    const first = await read(one.browser, { first: 3 })
    const second = await read(one.browser, { first: 3, after: first.pageInfo.endCursor })
    expect(first.edges.map(({ node }) => node.operation)).toEqual(['createApiKey', 'createApiKey', 'createApiKey'])
    expect([second.edges.map(({ node }) => node.operation), second.pageInfo.hasNextPage]).toEqual([
      ['createTenant'],
      false,
    ])
    expect(await entriesOf(one.browser, { filter: { operation: 'createTenant' } })).toHaveLength(1)
    expect(await entriesOf(one.browser, { filter: { tenantId: other.tenantId } })).toHaveLength(4)
    expect((await entriesOf(other.browser)).map(({ operation }) => operation)).toEqual(['createTenant'])
    const bad = await one.browser.graphql(LOG, { first: 0 })
    expect(bad.text).toContain('"VALIDATION_ERROR"')
  })

  it('is read by when things were done, by people and at the command line', async () => {
    const { browser, tenantId } = await newOwner(harness)
    const times: string[] = []
    for (const name of ['a', 'b', 'c']) {
      harness.clock.advance(APART_MS)
      times.push(harness.clock.now().toISOString())
      await browser.graphql(CREATE_KEY, { name })
    }
    const [, doneFrom = '', doneBefore = ''] = times
    const done = async (filter: object): Promise<number> => (await entriesOf(browser, { filter })).length
    // The tenant itself was made before.
    expect([await done({ doneFrom }), await done({ doneBefore }), await done({ doneFrom, doneBefore })]).toEqual([
      2, 3, 1,
    ])
    expect(await done({ doneFrom: harness.clock.now().toISOString() })).toBe(0)
    expect((await browser.graphql(LOG, { filter: { doneFrom: 'yesterday' } })).text).toContain('filter.doneFrom')
    const lines: string[] = []
    const output = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) }
    const environment = { DATABASE_URL: harness.databaseUrl }
    const days = ['--from', doneFrom, '--to', doneBefore]
    expect(await auditCli(['--tenant', tenantId, ...days], output, environment)).toBe(0)
    expect(lines).toHaveLength(1)
    expect(await auditCli(['--from', 'yesterday'], output, environment)).toBe(2)
    expect(lines.join('\n')).toContain('--from has to be a day or a time')
  })

  it('has what is done in other subgraphs, and what keys do with money, and not each payment', async () => {
    const { tenant } = harness
    await harness.dashboard.addMember(tenant, 'owner-of-all@example.com', 'owner')
    const browser = await signIn(harness, 'owner-of-all@example.com')
    const id = await tenant.register()
    await tenant.post(`/payment/${id}/cancel`)
    const order = 'mutation ($id: ID!) { deleteOrder(id: $id) { errors { code } } }'
    await browser.graphql(order, { id: 'cmissing00000000000000000' })
    expect(await entriesOf(browser)).toMatchObject([
      { actorKind: 'PERSON', operation: 'deleteOrder', outcome: 'order_not_found' },
      { actorKind: 'KEY', actorId: tenant.keyId, operation: 'cancelPayment', outcome: 'done', resultId: id },
      { actorKind: 'PERSON', operation: 'signIn', outcome: 'done' },
    ])
  })

  it('shows operators what was done anywhere, their own acts and those of the command line among them', async () => {
    const { tenantId, browser: owner } = await newOwner(harness)
    const operator = await signIn(harness, 'operator@example.com')
    await operator.graphql('mutation ($id: ID!) { disableTenant(id: $id) { tenant { id } } }', { id: tenantId })
    const lines: string[] = []
    const output = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line) }
    const environment = { DATABASE_URL: harness.databaseUrl }
    expect(await tenantCli(['enable', '--tenant', tenantId], output, environment)).toBe(0)
    const [enabled, disabled, signedIn] = await entriesOf(operator)
    expect(enabled).toMatchObject({ actorKind: 'COMMAND_LINE', operation: 'tenant enable', tenantId, outcome: 'done' })
    expect(disabled).toMatchObject({
      ...{ actorKind: 'OPERATOR', actorEmail: 'operator@example.com', tenantId: null },
      ...{ operation: 'disableTenant', subjects: { id: tenantId }, outcome: 'done' },
    })
    expect(signedIn).toMatchObject({ actorKind: 'OPERATOR', operation: 'signIn' })
    expect(await entriesOf(operator, { filter: { tenantId } })).toHaveLength(2)
    expect((await owner.graphql(LOG)).status).toBe(200)
    lines.length = 0
    expect(await auditCli(['--tenant', tenantId], output, environment)).toBe(0)
    expect(lines.map((line) => (JSON.parse(line) as Entry).operation)).toEqual(['tenant enable', 'createTenant'])
    lines.length = 0
    expect(await auditCli(['--format', 'csv'], output, environment)).toBe(0)
    expect(lines[0]).toBe(
      'number,id,at,tenantId,actorKind,actorId,actorEmail,operation,subjects,address,agent,requestId,outcome,resultId',
    )
    expect(lines.some((line) => line.includes(',disableTenant,"{""id"":'))).toBe(true)
  })

  it('is only added to, whoever asks the database', async () => {
    await newOwner(harness)
    for (const statement of [
      `update kernel.audit_entry set operation = 'x'`,
      'delete from kernel.audit_entry',
      'delete from kernel.audit_outcome',
      'truncate kernel.audit_outcome',
    ]) {
      await expect(harness.sql(statement)).rejects.toThrow('the audit log is only added to')
    }
  })

  it('stops an act that it cannot write down', async () => {
    const { browser } = await newOwner(harness)
    await harness.withoutTable('kernel.audit_entry', async () => {
      const refused = await browser.graphql(CREATE_KEY, { name: 'unseen' })
      expect(refused.text).toContain('"SERVER_ERROR"')
      expect((await browser.graphql('{ apiKeys { id } }')).body.data).toEqual({ apiKeys: [] })
    })
  })
})
