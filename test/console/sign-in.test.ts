import { describe, expect, it } from 'vitest'
import { codeFor, consoleBrowser, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

let count = 0
/** An address that nobody has used. */
const newEmail = (): string => `person${(count += 1)}@example.com`

/** The product of one tenant after another, by who asks. */
const ACCOUNT = '{ account { id name } }'

describe('the sign-in by e-mail', () => {
  it('lets somebody unknown make a tenant, and see it over GraphQL with no key', async () => {
    const email = newEmail()
    const browser = await signIn(harness, email.toUpperCase())
    const { body } = await browser.get('session')
    expect(body).toMatchObject({ person: { email, isOperator: false }, tenants: [], tenantId: null })
    expect((await browser.graphql(ACCOUNT)).status).toBe(403)
    const made = await browser.post('tenants', { name: 'Corner shop' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ tenants: [{ name: 'Corner shop', role: 'owner' }] })
    const account = await browser.graphql('{ account { id name integrations { isDefault } products { pix } } }')
    expect(account.body.data).toEqual({
      account: {
        id: made.body['tenantId'],
        name: 'Corner shop',
        integrations: [{ isDefault: true }],
        products: { pix: true },
      },
    })
  })

  it('answers alike for addresses that it knows and that it does not', async () => {
    const known = newEmail()
    await signIn(harness, known)
    const answers = await Promise.all(
      [known, newEmail()].map((email) => consoleBrowser(harness).post('sign-in', { email })),
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, '{}'],
      [202, '{}'],
    ])
  })

  it('takes a code once, within ten minutes, for the address that it was sent to', async () => {
    const email = newEmail()
    const browser = consoleBrowser(harness)
    await browser.post('sign-in', { email })
    const code = await codeFor(harness, email)
    const refused = { status: 401, body: { error: { code: 'code_refused' } } }
    expect(await browser.post('sign-in/code', { email: newEmail(), code })).toMatchObject(refused)
    expect(await browser.post('sign-in/code', { email, code })).toMatchObject({ status: 200 })
    expect(await consoleBrowser(harness).post('sign-in/code', { email, code })).toMatchObject(refused)
    await browser.post('sign-in', { email })
    const late = await codeFor(harness, email)
    harness.clock.advance(10 * 60_000)
    expect(await consoleBrowser(harness).post('sign-in/code', { email, code: late })).toMatchObject(refused)
  })

  it('compares five guesses of a code, and not the right one after them', async () => {
    const email = newEmail()
    const browser = consoleBrowser(harness)
    await browser.post('sign-in', { email })
    const code = await codeFor(harness, email)
    const wrong = String((Number(code) + 1) % 100_000_000).padStart(8, '0')
    for (let guess = 0; guess < 5; guess += 1) {
      expect((await browser.post('sign-in/code', { email, code: wrong })).status).toBe(401)
    }
    expect((await browser.post('sign-in/code', { email, code })).status).toBe(401)
    expect(browser.cookie()).toBeUndefined()
  })

  it('sends an address five codes in a quarter of an hour, and says when to come again', async () => {
    const email = newEmail()
    const browser = consoleBrowser(harness)
    harness.clock.advance(60_000)
    for (let sent = 0; sent < 5; sent += 1) expect((await browser.post('sign-in', { email })).status).toBe(202)
    const refused = await browser.post('sign-in', { email })
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    harness.clock.advance(16 * 60_000)
    expect((await browser.post('sign-in', { email })).status).toBe(202)
  })

  it('lets who is signed in prove to be there, however often strangers ask for codes, and the other way round', async () => {
    const email = newEmail()
    const browser = await signIn(harness, email)
    const stranger = consoleBrowser(harness)
    harness.clock.advance(60_000)
    const statuses: number[] = []
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await stranger.post('sign-in', { email })).status)
    // The address of the e-mail is used up, and so is the address of the network, which both share here.
    expect(statuses.slice(0, 5)).toEqual([202, 202, 202, 202, 429])
    expect((await browser.post('prove/start', {})).status).toBe(202)
    expect((await browser.post('prove', { code: await codeFor(harness, email) })).status).toBe(200)
    for (let sent = 1; sent < 5; sent += 1) expect((await browser.post('prove/start', {})).status).toBe(202)
    expect((await browser.post('prove/start', {})).status).toBe(429)
    harness.clock.advance(16 * 60_000)
    for (let sent = 0; sent < 5; sent += 1) expect((await browser.post('prove/start', {})).status).toBe(202)
    expect((await stranger.post('sign-in', { email })).status).toBe(202)
    harness.clock.advance(60_000)
  })

  it('has codes of eight digits', async () => {
    const email = newEmail()
    await consoleBrowser(harness).post('sign-in', { email })
    expect(await codeFor(harness, email)).toMatch(/^\d{8}$/)
  })

  it('slows an address of the network down that asks for many', async () => {
    const browser = consoleBrowser(harness)
    harness.clock.advance(60_000)
    const statuses: number[] = []
    for (let asked = 0; asked < 21; asked += 1) {
      statuses.push((await browser.post('sign-in/code', { email: 'nobody@example.com', code: '000000' })).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
    expect(statuses[20]).toBe(429)
    harness.clock.advance(60_000)
  })

  it.each([
    { email: 'no address' },
    { email: 7 },
    {},
    { email: `${'a'.repeat(300)}@example.com` },
    { email: 'zero\u0000@example.com' },
  ])('refuses what is no address: %j', async (body) => {
    const answer = await consoleBrowser(harness).post('sign-in', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
    expect(JSON.stringify(answer.body)).toContain('email')
  })

  it('keeps neither codes nor tokens as they are', async () => {
    const email = newEmail()
    const browser = await signIn(harness, email)
    const code = await codeFor(harness, email)
    await browser.post('prove/start', {})
    const [row] = await harness.sql(
      `select (select json_agg(s) from accounts.session s)::text || (select json_agg(c) from accounts.sign_in_code c)::text
        || (select json_agg(c) from accounts.sign_in_code_send c)::text as stored`,
    )
    const stored = String(row?.['stored'])
    expect(stored).toContain(email)
    expect(stored).not.toContain(`"${code}"`)
    expect(stored).not.toContain(`"${await codeFor(harness, email)}"`)
    expect(stored).not.toContain(browser.cookie()?.split('=')[1])
  })
})

describe('a session', () => {
  it('has a cookie that no script reads and no other site sends', async () => {
    const email = newEmail()
    const browser = consoleBrowser(harness)
    await browser.post('sign-in', { email })
    const answer = await browser.post('sign-in/code', { email, code: await codeFor(harness, email) })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/^console_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('ends on the server, within five seconds for GraphQL too', async () => {
    const email = newEmail()
    const browser = await signIn(harness, email)
    await browser.post('tenants', { name: 'Shop' })
    expect((await browser.graphql(ACCOUNT)).status).toBe(200)
    const cookie = browser.cookie() ?? ''
    expect((await browser.post('sign-out', {})).status).toBe(204)
    expect(browser.cookie()).toBeUndefined()
    expect((await browser.get('session', { cookie })).status).toBe(401)
    harness.clock.advance(5_000)
    expect((await browser.graphql(ACCOUNT, {}, { cookie })).status).toBe(403)
  })

  it('ends after twelve hours without use, and after seven days with', async () => {
    const idle = await signIn(harness, newEmail())
    const used = await signIn(harness, newEmail())
    harness.clock.advance(11 * 3_600_000)
    expect((await used.get('session')).status).toBe(200)
    harness.clock.advance(2 * 3_600_000)
    expect((await idle.get('session')).status).toBe(401)
    for (let day = 0; day < 13; day += 1) {
      expect((await used.get('session')).status).toBe(200)
      harness.clock.advance(12 * 3_600_000 - 60_000)
    }
    expect((await used.get('session')).status).toBe(401)
  })

  it('looks at the tenant that was chosen, at once', async () => {
    const email = newEmail()
    const other = await harness.dashboard.newTenant()
    await harness.dashboard.addMember(harness.tenant, email, 'viewer')
    await harness.dashboard.addMember(other, email, 'developer')
    const browser = await signIn(harness, email)
    const tenantIds: unknown[] = []
    for (const { id } of [harness.tenant, other, harness.tenant]) {
      expect((await browser.post('session/tenant', { tenantId: id })).status).toBe(200)
      tenantIds.push((await browser.graphql(ACCOUNT)).body.data)
    }
    expect(tenantIds.map((data) => (data as { account: { id: string } }).account.id)).toEqual([
      harness.tenant.id,
      other.id,
      harness.tenant.id,
    ])
  })

  it('chooses no tenant of others, and not the deployment', async () => {
    const browser = await signIn(harness, newEmail())
    for (const tenantId of [harness.tenant.id, 'none', null]) {
      const answer = await browser.post('session/tenant', { tenantId })
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    }
    expect((await browser.post('session/tenant', {})).status).toBe(400)
  })

  it('sees nothing of a tenant that was switched off', async () => {
    const email = newEmail()
    const tenant = await harness.dashboard.newTenant()
    await harness.dashboard.addMember(tenant, email, 'owner')
    const browser = await signIn(harness, email)
    expect((await browser.graphql(ACCOUNT)).status).toBe(200)
    await harness.dashboard.disable(tenant)
    harness.clock.advance(5_000)
    expect((await browser.graphql(ACCOUNT)).status).toBe(403)
    expect((await browser.get('session')).body).toMatchObject({ tenants: [], tenantId: null })
  })

  it('is proved anew by a code that signs nobody in', async () => {
    const email = newEmail()
    const browser = await signIn(harness, email)
    const before = (await browser.get('session')).body['provenAt']
    harness.clock.advance(60_000)
    expect((await browser.post('prove/start', {})).status).toBe(202)
    const code = await codeFor(harness, email)
    expect((await consoleBrowser(harness).post('sign-in/code', { email, code })).status).toBe(401)
    const proved = await browser.post('prove', { code })
    expect(proved.status).toBe(200)
    expect(Date.parse(String(proved.body['provenAt']))).toBeGreaterThan(Date.parse(String(before)))
    expect((await browser.post('prove', { code })).status).toBe(401)
  })

  it('owns ten tenants at most', async () => {
    const browser = await signIn(harness, newEmail())
    for (let made = 0; made < 10; made += 1) expect((await browser.post('tenants', { name: 'Shop' })).status).toBe(201)
    const refused = await browser.post('tenants', { name: 'Shop' })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_parameters' } } })
  })
})

describe('an operator', () => {
  it('begins with the deployment, which is no tenant and no key of one', async () => {
    const browser = await signIn(harness, 'operator@example.com')
    expect((await browser.get('session')).body).toMatchObject({ person: { isOperator: true }, tenantId: null })
    const { body } = await browser.graphql('{ products { pix } account { id } }')
    expect(body.data).toEqual({ products: { pix: true }, account: null })
    expect(JSON.stringify(body.errors)).toContain('CUSTOMER_NOT_LOGGED')
  })
})

describe('a foreign page', () => {
  const foreign = { origin: 'https://evil.example' }

  it('can neither use a session nor open one', async () => {
    const browser = await signIn(harness, newEmail())
    await browser.post('tenants', { name: 'Shop' })
    expect((await browser.get('session', foreign)).status).toBe(403)
    expect((await browser.post('sign-in', { email: newEmail() }, foreign)).status).toBe(403)
    expect((await browser.graphql(ACCOUNT, {}, foreign)).status).toBe(403)
    expect((await browser.graphql(ACCOUNT, {}, { 'x-console': '0' })).status).toBe(403)
    expect((await browser.graphql(ACCOUNT, {}, { origin: harness.url })).status).toBe(200)
  })

  it('sends no form, and nobody more than four kilobytes', async () => {
    const browser = consoleBrowser(harness)
    const form = await browser.post('sign-in', 'email=a@example.com', { 'content-type': 'text/plain' })
    expect(form).toMatchObject({ status: 415, body: { error: { code: 'unsupported_media_type' } } })
    const large = await browser.post('sign-in', { email: 'a'.repeat(5_000) })
    expect(large).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
    expect((await browser.post('sign-in', '{"email"')).status).toBe(400)
  })
})

describe("the contract's REST", () => {
  it('takes no session for a key, and a key with a session counts alone', async () => {
    const browser = await signIn(harness, newEmail())
    await browser.post('tenants', { name: 'Shop' })
    const headers = { cookie: browser.cookie() ?? '', 'x-console': '1' }
    expect((await harness.rest('GET', '/config/products', { headers })).status).toBe(401)
    const both = await browser.graphql(ACCOUNT, {}, { 'x-api-key': harness.tenant.key })
    expect(both.body.data).toMatchObject({ account: { id: harness.tenant.id } })
  })
})
