import { describe, expect, it } from 'vitest'
import { codeFor, type ConsoleBrowser, newMember, newOwner, signIn } from '../harness/console.js'
import { openStream } from '../harness/event-stream.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const OPERATOR = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: OPERATOR })
const { tenant } = harness

/** What a tab says with each request. @param shown the tenant that it shows */
const tabOf = (shown: string): Record<string, string> => ({ 'x-console-tenant': shown })

let count = 0

/** Somebody who belongs to two tenants, and has chosen the second one last. */
async function newPersonOfTwo() {
  const email = `tabs${(count += 1)}@example.com`
  const other = await harness.dashboard.newTenant()
  await harness.dashboard.addMember(other, email, 'viewer')
  const browser = await newMember(harness, 'owner', email)
  const choose = (id: string) => browser.post('session/tenant', { tenantId: id })
  expect((await choose(other.id)).status).toBe(200)
  return { browser, choose, email, other, mine: tabOf(tenant.id), others: tabOf(other.id) }
}

async function accountOf(browser: ConsoleBrowser, headers: Record<string, string> = {}) {
  const { status, body } = await browser.graphql('{ account { id } }', {}, headers)
  return { status, id: (body.data?.['account'] as { id: string } | null | undefined)?.id }
}

describe('a tab of the console', () => {
  it('acts for the tenant that it shows, whichever was chosen last in another tab', async () => {
    const { browser, choose, other, mine, others } = await newPersonOfTwo()
    const invite =
      'mutation ($email: EmailAddress!) { invitePerson(input: { email: $email, role: VIEWER }) { errors { code } } }'
    for (const last of [other.id, tenant.id]) {
      expect((await choose(last)).status).toBe(200)
      expect(await accountOf(browser, mine)).toEqual({ status: 200, id: tenant.id })
      expect(await accountOf(browser, others)).toEqual({ status: 200, id: other.id })
    }
    await choose(other.id)
    const guest = 'guest@tabs.example'
    const refused = await browser.graphql(invite, { email: guest }, others)
    expect(JSON.stringify(refused.body.errors)).toContain('PERMISSION_DENIED')
    const invited = await browser.graphql(invite, { email: guest }, mine)
    expect(invited.body.data).toEqual({ invitePerson: { errors: [] } })
    const invitations = await harness.sql(`select tenant_id from accounts.invitation where email = '${guest}'`)
    expect(invitations).toEqual([{ tenant_id: tenant.id }])
  })

  it('is told its own tenant, what the person may do there, and the same after a proof', async () => {
    const { browser, email, other, mine, others } = await newPersonOfTwo()
    const told = async (headers = {}) => {
      const { body } = await browser.get('session', headers)
      return [body['tenantId'], (body['rights'] as string[]).includes('people:write')]
    }
    expect([await told(mine), await told(others), await told()]).toEqual([
      [tenant.id, true],
      [other.id, false],
      [other.id, false],
    ])
    await browser.post('prove/start', {})
    const proved = await browser.post('prove', { code: await codeFor(harness, email) }, mine)
    expect(proved).toMatchObject({ status: 200, body: { tenantId: tenant.id } })
    expect((await told())[0]).toBe(other.id)
  })

  it('does nothing for a tenant to which the person does not belong, and learns of none', async () => {
    const { browser, email } = await newPersonOfTwo()
    const foreign = await harness.dashboard.newTenant()
    const operator = await signIn(harness, OPERATOR)
    await harness.dashboard.addMember(tenant, OPERATOR, 'viewer')
    const ids = [foreign.id, `c${'0'.repeat(24)}`, 'deployment', 'a:b', '', `${tenant.id}, ${tenant.id}`]
    const answers: unknown[] = []
    for (const id of ids) {
      const { status, text } = await browser.graphql('{ account { id } }', {}, tabOf(id))
      answers.push([status, text])
      expect((await browser.get('session', tabOf(id))).body).toMatchObject({
        person: { email },
        tenantId: null,
        rights: [],
      })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject([403, expect.any(String)])
    // Nor is an operator's the deployment's, where the tenant that the tab shows is not.
    expect(await accountOf(operator, tabOf(tenant.id))).toEqual({ status: 200, id: tenant.id })
    expect((await accountOf(operator, tabOf(foreign.id))).status).toBe(403)
    expect((await operator.graphql('{ products { pix } }', {}, tabOf('deployment'))).status).toBe(200)
  })

  it('is nobody once the person does not belong to its tenant, while other tabs go on', async () => {
    const { browser, email, other, mine, others } = await newPersonOfTwo()
    const owner = await newMember(harness, 'owner')
    const { body } = await owner.graphql('{ people { id email } }')
    const id = (body.data?.['people'] as { id: string; email: string }[]).find((person) => person.email === email)?.id
    const remove = 'mutation ($id: ID!) { removePerson(id: $id) { errors { code } } }'
    expect((await owner.graphql(remove, { id })).body.data).toEqual({ removePerson: { errors: [] } })
    harness.clock.advance(5_000)
    expect((await accountOf(browser, mine)).status).toBe(403)
    expect((await browser.get('session', mine)).body).toMatchObject({ tenantId: null })
    expect(await accountOf(browser, others)).toEqual({ status: 200, id: other.id })
  })

  it('says it in a header that opens nothing by itself', async () => {
    const { browser, mine } = await newPersonOfTwo()
    expect((await accountOf(browser, { ...mine, 'x-console': '0' })).status).toBe(403)
    expect((await accountOf(browser, { ...mine, origin: 'https://evil.example' })).status).toBe(403)
    expect((await accountOf(browser, { ...mine, cookie: '' })).status).toBe(403)
  })

  it('follows the payments of its own tenant, and goes on where another tab chooses anew', async () => {
    const { browser, choose, mine, others, other } = await newPersonOfTwo()
    const follow = (headers: Record<string, string>) =>
      openStream(`${harness.url}/graphql`, {
        method: 'POST',
        headers: { cookie: browser.cookie() ?? '', 'x-console': 'live', ...headers },
        body: { query: 'subscription { paymentsUpdated { id } }' },
      })
    const [ours, theirs] = [await follow(mine), await follow(others)]
    const id = await tenant.register()
    await tenant.post(`/payment/${id}/cancel`)
    await ours.untilCount(1)
    expect(JSON.stringify(ours.events)).toContain(id)
    expect(theirs.events).toEqual([])
    await choose(other.id)
    // The cookie is another one: the stream ends and is opened again, for the same tenant.
    harness.clock.advance(5_000)
    await tenant.post(`/payment/${await tenant.register()}/cancel`)
    await until('the stream has ended', () => ours.isEnded())
    const again = await follow(mine)
    const next = await tenant.register()
    await tenant.post(`/payment/${next}/cancel`)
    await again.untilCount(1)
    expect(JSON.stringify(again.events)).toContain(next)
    again.close()
    theirs.close()
  })

  it('begins with the tenant that was chosen last, also where that was made just now', async () => {
    const { browser, tenantId } = await newOwner(harness, 'First')
    const made = await browser.post('tenants', { name: 'Second' }, tabOf(tenantId))
    const second = String(made.body['tenantId'])
    expect(second).not.toBe(tenantId)
    expect((await browser.get('session')).body).toMatchObject({ tenantId: second })
    expect(await accountOf(browser)).toEqual({ status: 200, id: second })
    const proved = await browser.post('session/tenant', { tenantId }, tabOf(second))
    expect(proved.body).toMatchObject({ tenantId })
    expect(await accountOf(browser, tabOf(second))).toEqual({ status: 200, id: second })
  })
})
