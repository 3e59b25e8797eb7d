import { describe, expect, it } from 'vitest'
import { type ConsoleBrowser, newOwner, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const ACCOUNT = '{ account { id } }'

let count = 0
const newEmail = (): string => `someone${(count += 1)}@example.com`

/** What a field answers; fails with the errors of the answer, where there are any. */
async function answerOf(
  browser: ConsoleBrowser,
  query: string,
  variables: object = {},
): Promise<Record<string, unknown>> {
  const { body, text } = await browser.graphql(query, variables)
  const [answer] = Object.values(body.data ?? {})
  if (typeof answer !== 'object' || answer === null) throw new Error(text)
  return answer as Record<string, unknown>
}

const INVITE = `mutation ($email: EmailAddress!, $role: PersonRole!) {
  invitePerson(input: { email: $email, role: $role }) { person { id email role joinedAt } errors { code } }
}`
/** Signs in with an address that was invited, and accepts. */
async function join(email: string): Promise<ConsoleBrowser> {
  const browser = await signIn(harness, email)
  const { body } = await browser.get('session')
  const [invitation] = body['invitations'] as { id: string }[]
  expect((await browser.post('invitations/accept', { id: invitation?.id })).status).toBe(200)
  return browser
}

const CREATE_KEY = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
  createdApiKey { key apiKey { id name prefix scopes expiresAt lastUsedAt } } errors { code path }
} }`
const KEYS = '{ apiKeys { id name prefix scopes createdAt expiresAt lastUsedAt revokedAt } }'

interface Created {
  key: string
  apiKey: { id: string; prefix: string; scopes: string[] | null }
}

async function createKey(browser: ConsoleBrowser, input: object): Promise<Created> {
  const { createdApiKey, errors } = await answerOf(browser, CREATE_KEY, { input })
  expect(errors).toEqual([])
  return createdApiKey as Created
}

describe('a key that a person makes', () => {
  it('is shown once, works within its scopes, tells when it was used, and ends when it is revoked', async () => {
    const { browser } = await newOwner(harness)
    const { key, apiKey } = await createKey(browser, { name: 'shop', scopes: ['orders:*', 'payments:read'] })
    expect(apiKey.scopes).toEqual(['orders:read', 'orders:write', 'payments:read'])
    expect(key.startsWith(apiKey.prefix)).toBe(true)
    expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(200)
    expect((await harness.rest('GET', '/kyc/status?email=ana@example.com', { as: key })).body).toMatchObject({
      status: 'permission_denied',
    })
    const listed = await browser.graphql(KEYS)
    expect(listed.text).not.toContain(key)
    const [row] = (listed.body.data?.['apiKeys'] ?? []) as Record<string, unknown>[]
    expect(row).toMatchObject({ id: apiKey.id, name: 'shop', revokedAt: null })
    expect(Math.abs(Date.parse(String(row?.['lastUsedAt'])) - harness.clock.now().getTime())).toBeLessThan(60_000)
    await answerOf(browser, 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { revokedAt } } }', { id: apiKey.id })
    harness.clock.advance(5_000)
    expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(401)
  })

  it('may do all that the tenant may where no scopes are named', async () => {
    const { browser } = await newOwner(harness)
    const { key, apiKey } = await createKey(browser, { name: 'all' })
    expect(apiKey.scopes).toBeNull()
    expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(200)
  })

  it.each([
    [{ name: ' ' }, 'VALIDATION_ERROR', ['name']],
    [{ name: 'x', scopes: ['orders:read', 'money:*'] }, 'VALIDATION_ERROR', ['scopes', '1']],
    [{ name: 'x', scopes: [] }, 'VALIDATION_ERROR', ['scopes']],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00.000Z' }, 'INVALID_PARAMETERS', null],
  ])('is refused with the field that is wrong: %j', async (input, code, path) => {
    const { browser } = await newOwner(harness)
    const { createdApiKey, errors } = await answerOf(browser, CREATE_KEY, { input })
    expect(createdApiKey).toBeNull()
    expect(errors).toEqual([{ code, path }])
    expect((await browser.graphql(KEYS)).body.data).toEqual({ apiKeys: [] })
  })

  it('is made only soon after a proof, and not with a hundred others', async () => {
    const { browser } = await newOwner(harness)
    await createKey(browser, { name: 'first' })
    await harness.sql(
      `insert into accounts.api_key (id, tenant_id, hash, prefix, name, created_at)
        select k.id || n, tenant_id, hash || n, prefix, name, created_at
        from accounts.api_key k, generate_series(1, 99) n where k.name = 'first'`,
    )
    const { errors } = await answerOf(browser, CREATE_KEY, { input: { name: 'one more' } })
    expect(errors).toEqual([{ code: 'INVALID_PARAMETERS', path: null }])
    harness.clock.advance(10 * 60_000)
    expect((await browser.graphql(CREATE_KEY, { input: { name: 'late' } })).text).toContain('"PROOF_REQUIRED"')
  })

  it('may do nothing that its maker may not', async () => {
    const { browser: owner } = await newOwner(harness)
    const email = newEmail()
    await answerOf(owner, INVITE, { email, role: 'DEVELOPER' })
    const developer = await join(email)
    for (const scopes of [null, ['orders:*', 'refunds:write']]) {
      const { createdApiKey, errors } = await answerOf(developer, CREATE_KEY, { input: { name: 'x', scopes } })
      expect([createdApiKey, errors]).toEqual([null, [{ code: 'VALIDATION_ERROR', path: ['scopes'] }]])
    }
    expect((await owner.graphql(KEYS)).body.data).toEqual({ apiKeys: [] })
    const { apiKey } = await createKey(developer, { name: 'x', scopes: ['payments:*', 'orders:*'] })
    expect(apiKey.scopes).toEqual(['payments:read', 'payments:write', 'orders:read', 'orders:write'])
  })

  it('is no business of another tenant', async () => {
    const [one, other] = [await newOwner(harness), await newOwner(harness)]
    const { apiKey, key } = await createKey(one.browser, { name: 'mine' })
    const { errors } = await answerOf(
      other.browser,
      'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id } errors { code } } }',
      { id: apiKey.id },
    )
    expect(errors).toEqual([{ code: 'NOT_FOUND' }])
    expect((await other.browser.graphql(KEYS)).body.data).toEqual({ apiKeys: [] })
    expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(200)
  })
})

const CHANGE = `mutation ($id: ID!, $role: PersonRole!) {
  changePersonRole(id: $id, role: $role) { person { id role } errors { code } }
}`
const REMOVE = 'mutation ($id: ID!) { removePerson(id: $id) { person { id } errors { code } } }'
const PEOPLE = '{ people { id email role joinedAt } }'

describe('the people of a tenant', () => {
  const idOf = async (browser: ConsoleBrowser, email: string): Promise<string> => {
    const { body } = await browser.graphql(PEOPLE)
    const people = (body.data?.['people'] ?? []) as { id: string; email: string }[]
    return people.find((person) => person.email === email)?.id ?? 'nobody'
  }

  it('are invited, sign in, are given another role, and are gone within five seconds', async () => {
    const owner = (await newOwner(harness)).browser
    const email = newEmail()
    const invited = await answerOf(owner, INVITE, { email: email.toUpperCase(), role: 'VIEWER' })
    expect(invited).toMatchObject({ person: { email, role: 'VIEWER', joinedAt: null }, errors: [] })
    const guest = await join(email)
    expect((await guest.graphql(ACCOUNT)).status).toBe(200)
    expect((await guest.graphql(INVITE, { email: newEmail(), role: 'OWNER' })).text).toContain('"PERMISSION_DENIED"')
    const id = await idOf(owner, email)
    await answerOf(owner, CHANGE, { id, role: 'OWNER' })
    harness.clock.advance(5_000)
    expect(await answerOf(guest, INVITE, { email: newEmail(), role: 'VIEWER' })).toMatchObject({ errors: [] })
    expect(await answerOf(owner, REMOVE, { id })).toMatchObject({ person: { id }, errors: [] })
    harness.clock.advance(5_000)
    expect((await guest.graphql(ACCOUNT)).status).toBe(403)
  })

  it('keep an owner, also where two leave at once', async () => {
    const { browser: owner, email: own } = await newOwner(harness)
    const me = await idOf(owner, own)
    const refused = { person: null, errors: [{ code: 'INVALID_PARAMETERS' }] }
    expect(await answerOf(owner, REMOVE, { id: me })).toEqual(refused)
    expect(await answerOf(owner, CHANGE, { id: me, role: 'VIEWER' })).toEqual(refused)
    const email = newEmail()
    await answerOf(owner, INVITE, { email, role: 'OWNER' })
    await join(email)
    const other = await idOf(owner, email)
    // Who is removed first removes nobody any more.
    const answers = await Promise.all([me, other].map((id) => owner.graphql(REMOVE, { id })))
    expect(answers.filter(({ text }) => text.includes('"person":{'))).toHaveLength(1)
  })

  it('are each a member once, and nobody of another tenant', async () => {
    const [one, other] = [await newOwner(harness), await newOwner(harness)]
    const { errors } = await answerOf(one.browser, INVITE, { email: one.email, role: 'VIEWER' })
    expect(errors).toEqual([{ code: 'INVALID_PARAMETERS' }])
    const stranger = await idOf(other.browser, other.email)
    expect(await answerOf(one.browser, REMOVE, { id: stranger })).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect((await other.browser.graphql(ACCOUNT)).status).toBe(200)
  })
})

describe('an invitation', () => {
  const invitationsOf = async (browser: ConsoleBrowser) =>
    (await browser.get('session')).body['invitations'] as { id: string; tenantName: string; role: string }[]

  it('tells nothing of whether an address is known', async () => {
    const owner = (await newOwner(harness)).browser
    const known = (await newOwner(harness)).email
    const answers = [
      await answerOf(owner, INVITE, { email: known, role: 'VIEWER' }),
      await answerOf(owner, INVITE, { email: newEmail(), role: 'VIEWER' }),
    ]
    const [person] = await harness.sql('select id from accounts.person where email = $1', [known])
    for (const { person: invited, errors } of answers) {
      expect([invited, errors]).toMatchObject([{ role: 'VIEWER', joinedAt: null }, []])
      expect(invited).not.toMatchObject({ id: person?.['id'] })
    }
    expect(
      await harness.sql('select 1 from accounts.person where email = $1', [`someone${count}@example.com`]),
    ).toEqual([])
    const people = (await owner.graphql(PEOPLE)).body.data?.['people'] as { joinedAt: string | null }[]
    expect(people.map(({ joinedAt }) => joinedAt !== null)).toEqual([true, false, false])
  })

  it('makes nobody a member who has not accepted it, and is gone once it is declined', async () => {
    const [one, other] = [await newOwner(harness), await newOwner(harness)]
    await answerOf(one.browser, INVITE, { email: other.email, role: 'DEVELOPER' })
    const [invitation] = await invitationsOf(other.browser)
    expect(invitation).toMatchObject({ tenantName: 'Shop', role: 'developer', invitedBy: one.email })
    expect((await other.browser.get('session')).body['tenants']).toHaveLength(1)
    const tenantId = (await one.browser.get('session')).body['tenantId']
    expect((await other.browser.post('session/tenant', { tenantId })).status).toBe(404)
    const stranger = (await newOwner(harness)).browser
    expect((await stranger.post('invitations/accept', { id: invitation?.id })).status).toBe(404)
    expect((await stranger.post('invitations/decline', { id: invitation?.id })).status).toBe(404)
    const declined = await other.browser.post('invitations/decline', { id: invitation?.id })
    expect([declined.status, declined.body['invitations']]).toEqual([200, []])
    expect((await other.browser.post('invitations/accept', { id: invitation?.id })).status).toBe(404)
    expect((await one.browser.graphql(PEOPLE)).body.data?.['people']).toHaveLength(1)
  })

  it('is good for seven days, for the role that was said last, and can be taken back', async () => {
    const { browser: owner } = await newOwner(harness)
    const email = newEmail()
    await answerOf(owner, INVITE, { email, role: 'OWNER' })
    const { person } = await answerOf(owner, INVITE, { email, role: 'VIEWER' })
    const guest = await signIn(harness, email)
    expect(await invitationsOf(guest)).toMatchObject([{ role: 'viewer' }])
    const { id } = person as { id: string }
    expect(await answerOf(owner, CHANGE, { id, role: 'SUPPORT' })).toMatchObject({ person: { role: 'SUPPORT' } })
    expect(await answerOf(owner, REMOVE, { id })).toMatchObject({ person: { id }, errors: [] })
    expect(await invitationsOf(guest)).toEqual([])
    await answerOf(owner, INVITE, { email, role: 'VIEWER' })
    harness.clock.advance(7 * 86_400_000)
    const late = await signIn(harness, email)
    expect(await invitationsOf(late)).toEqual([])
  })
})

describe('the keys of a person who is removed, or gets another role', () => {
  const MADE = '{ apiKeys { id name revokedAt createdBy { personId email } } people { id email apiKeyCount } }'

  /** Somebody who was invited, and made two keys. */
  async function maker(owner: ConsoleBrowser): Promise<{ id: string; email: string; key: string }> {
    const email = newEmail()
    await answerOf(owner, INVITE, { email, role: 'DEVELOPER' })
    const browser = await join(email)
    const { key } = await createKey(browser, { name: 'one', scopes: ['orders:read'] })
    await createKey(browser, { name: 'two', scopes: ['orders:read'] })
    const people = (await owner.graphql(PEOPLE)).body.data?.['people'] as { id: string; email: string }[]
    return { id: people.find((person) => person.email === email)?.id ?? 'nobody', email, key }
  }

  it('name their maker, live on, and are counted', async () => {
    const owner = (await newOwner(harness)).browser
    const { id, email, key } = await maker(owner)
    await createKey(owner, { name: 'own' })
    const { body } = await owner.graphql(MADE)
    const keys = body.data?.['apiKeys'] as { name: string; createdBy: object }[]
    expect(keys.filter(({ createdBy }) => (createdBy as { personId: string }).personId === id)).toMatchObject([
      { name: 'two', createdBy: { email } },
      { name: 'one', createdBy: { email } },
    ])
    expect(body.data?.['people']).toMatchObject([{ apiKeyCount: 1 }, { id, apiKeyCount: 2 }])
    expect(await answerOf(owner, CHANGE, { id, role: 'VIEWER' })).toMatchObject({ person: { role: 'VIEWER' } })
    const removed = await answerOf(owner, 'mutation ($id: ID!) { removePerson(id: $id) { person { apiKeyCount } } }', {
      id,
    })
    expect(removed).toEqual({ person: { apiKeyCount: 2 } })
    harness.clock.advance(5_000)
    expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(200)
    const after = (await owner.graphql(MADE)).body.data?.['apiKeys'] as { createdBy: object }[]
    expect(after).toContainEqual(expect.objectContaining({ createdBy: { personId: id, email } }))
  })

  it.each(['removePerson(id: $id, revokeKeys: true)', 'changePersonRole(id: $id, role: VIEWER, revokeKeys: true)'])(
    'end together where the owner says so: %s',
    async (act) => {
      const owner = (await newOwner(harness)).browser
      const { id, key } = await maker(owner)
      const { key: own } = await createKey(owner, { name: 'own' })
      const query = `mutation ($id: ID!) { ${act} { person { apiKeyCount } } }`
      expect(await answerOf(owner, query, { id })).toEqual({ person: { apiKeyCount: 0 } })
      harness.clock.advance(5_000)
      expect((await harness.rest('GET', '/order/list', { as: key })).status).toBe(401)
      expect((await harness.rest('GET', '/order/list', { as: own })).status).toBe(200)
    },
  )
})
