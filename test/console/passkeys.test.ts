import { beforeEach, describe, expect, it } from 'vitest'
import { authenticator } from '../harness/authenticator.js'
import { consoleBrowser, newOwner, signIn, type ConsoleBrowser } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { addPasskey, newPasskey, passkeySignIn, startPasskey } from '../harness/passkeys.js'

const harness = await startHarness()
// What one address of the network may try in a minute is not the subject, but where a test says so.
beforeEach(() => harness.clock.advance(60_000))

/** Somebody with a passkey, signed in, at a tenant of their own. */
async function somebody() {
  const { browser, email } = await newOwner(harness)
  return { browser, email, passkey: await newPasskey(harness, browser) }
}

const REFUSED = { status: 401, body: { error: { code: 'passkey_refused' } } }
const PASSKEYS = '{ passkeys { id name createdAt lastUsedAt } }'
const CREATE_KEY = 'mutation { createApiKey(input: { name: "shop" }) { errors { code } } }'
const REMOVE = 'mutation ($id: ID!) { removePasskey(id: $id) { passkey { id } errors { code } } }'
const LOG = '{ auditLog(first: 5) { edges { node { operation subjects outcome actorEmail } } } }'

async function newestActs(browser: ConsoleBrowser): Promise<object[]> {
  const { body } = await browser.graphql(LOG)
  return (body.data?.['auditLog'] as { edges: { node: object }[] }).edges.map(({ node }) => node)
}

describe('the sign-in with a passkey', () => {
  it('needs no e-mail address, is a proof, and is written down', async () => {
    const { browser, email, passkey } = await somebody()
    harness.clock.advance(11 * 60_000)
    const elsewhere = consoleBrowser(harness)
    const answer = await passkeySignIn(elsewhere, passkey)
    expect(answer).toMatchObject({ status: 200, body: { person: { email }, hasPasskeys: true } })
    expect(String(answer.headers['set-cookie'])).toMatch(/console_session=[\w-]{43}; HttpOnly; SameSite=Strict/)
    expect((await elsewhere.graphql(CREATE_KEY)).body.data).toEqual({ createApiKey: { errors: [] } })
    const { body } = await elsewhere.graphql(PASSKEYS)
    expect(body.data?.['passkeys']).toMatchObject([{ id: passkey.passkeyId, name: 'Laptop' }])
    expect(JSON.stringify(body.data)).not.toContain('"lastUsedAt":null')
    expect(await newestActs(browser)).toContainEqual({
      operation: 'signIn',
      actorEmail: email,
      outcome: 'done',
      subjects: expect.objectContaining({ passkeyId: passkey.passkeyId }) as object,
    })
  })

  it('tells nothing of an address: the browser is given the same, and is refused alike', async () => {
    const [one, other] = [await somebody(), await somebody()]
    const { body } = await consoleBrowser(harness).post('sign-in/passkey/start', {})
    expect(Object.keys(body).toSorted()).toEqual([
      'allowCredentials',
      'challenge',
      'rpId',
      'timeout',
      'userVerification',
    ])
    expect(body).toMatchObject({ rpId: 'localhost', allowCredentials: [], userVerification: 'required' })
    const texts: string[] = []
    for (const email of [other.email, 'unknown@example.com']) {
      const answer = await passkeySignIn(consoleBrowser(harness), one.passkey, {}, { email })
      expect(answer).toMatchObject(REFUSED)
      texts.push(answer.text)
    }
    expect(texts[0]).toBe(texts[1])
    const own = await passkeySignIn(consoleBrowser(harness), one.passkey, {}, { email: one.email.toUpperCase() })
    expect(own.status).toBe(200)
  })

  it('takes what was signed once, in the browser that asked, within five minutes', async () => {
    const { passkey } = await somebody()
    const browser = consoleBrowser(harness)
    const ask = async () => (await browser.post('sign-in/passkey/start', {})).body
    const credential = passkey.sign(await ask())
    expect(await consoleBrowser(harness).post('sign-in/passkey', { credential })).toMatchObject(REFUSED)
    const thief = consoleBrowser(harness)
    await thief.post('sign-in/passkey/start', {})
    expect(await thief.post('sign-in/passkey', { credential })).toMatchObject(REFUSED)
    expect((await browser.post('sign-in/passkey', { credential })).status).toBe(200)
    expect(await browser.post('sign-in/passkey', { credential })).toMatchObject(REFUSED)
    const failed = await ask()
    expect(
      await browser.post('sign-in/passkey', { credential: passkey.sign(failed, { isVerified: false }) }),
    ).toMatchObject(REFUSED)
    expect(await browser.post('sign-in/passkey', { credential: passkey.sign(failed) })).toMatchObject(REFUSED)
    const late = await ask()
    harness.clock.advance(5 * 60_000)
    expect(await browser.post('sign-in/passkey', { credential: passkey.sign(late) })).toMatchObject(REFUSED)
    const replaced = await ask()
    await ask()
    expect(await browser.post('sign-in/passkey', { credential: passkey.sign(replaced) })).toMatchObject(REFUSED)
  })

  it.each([
    ['another origin', { origin: 'http://localhost:1' }],
    ['another site', { origin: 'https://evil.example' }],
    ['another relying party', { relyingPartyId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['nobody verified', { isVerified: false }],
    ['another person', { userHandle: Buffer.from('somebody-else').toString('base64url') }],
    ['no person', { userHandle: null }],
  ])('refuses what was signed for %s', async (_, lies) => {
    const { passkey } = await somebody()
    const browser = consoleBrowser(harness)
    expect(await passkeySignIn(browser, passkey, lies)).toMatchObject(REFUSED)
    expect(browser.cookie()).toBeUndefined()
    expect((await passkeySignIn(browser, passkey)).status).toBe(200)
  })

  it('refuses a passkey that nobody has added, and a signature by another key', async () => {
    const { passkey } = await somebody()
    const stranger = authenticator(harness.publicUrl)
    const userHandle = Buffer.from('somebody').toString('base64url')
    expect(await passkeySignIn(consoleBrowser(harness), stranger, { userHandle })).toMatchObject(REFUSED)
    const browser = consoleBrowser(harness)
    const { body } = await browser.post('sign-in/passkey/start', {})
    const signed = stranger.sign(body, { userHandle: passkey.userHandle() })
    const credential = { ...signed, id: passkey.id, rawId: passkey.id }
    expect(await browser.post('sign-in/passkey', { credential })).toMatchObject(REFUSED)
  })

  it('refuses a count that goes back or stays, and writes that down; one that never counts is let in', async () => {
    const { browser, email, passkey } = await somebody()
    const enter = async (counter: number) => (await passkeySignIn(consoleBrowser(harness), passkey, { counter })).status
    expect([await enter(0), await enter(0)]).toEqual([200, 200])
    expect([await enter(7), await enter(7), await enter(6), await enter(0), await enter(8)]).toEqual([
      200, 401, 401, 401, 200,
    ])
    const refused = {
      operation: 'signIn',
      actorEmail: email,
      outcome: 'passkey_counter_back',
      subjects: { passkeyId: passkey.passkeyId },
    }
    const acts = await newestActs(browser)
    expect(acts.slice(1, 4)).toEqual([refused, refused, refused])
  })

  it.each([
    [{}, 'credential'],
    [{ credential: 'text' }, 'credential'],
    [{ credential: {} }, 'credential.id'],
    [{ credential: { id: '!', rawId: 'a', type: 'public-key', response: {} } }, 'credential.id'],
    [{ credential: {}, email: 7 }, 'email'],
  ])('names the field that is none of WebAuthn: %j', async (body, field) => {
    const browser = consoleBrowser(harness)
    await browser.post('sign-in/passkey/start', {})
    const answer = await browser.post('sign-in/passkey', body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
    expect(answer.text).toContain(`${field}:`)
  })

  it('is slowed down as codes are, and is no business of another site', async () => {
    const browser = consoleBrowser(harness)
    expect((await browser.post('sign-in/passkey/start', {}, { origin: 'https://evil.example' })).status).toBe(403)
    const statuses: number[] = []
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await browser.post('sign-in/passkey/start', {})).status)
    expect([statuses.indexOf(429), (await browser.post('sign-in/passkey', {})).status]).toEqual([20, 429])
  })
})

describe('the proof by a passkey', () => {
  const prove = async (
    browser: ConsoleBrowser,
    passkey: Awaited<ReturnType<typeof somebody>>['passkey'],
    lies = {},
  ) => {
    const { body } = await browser.post('prove/passkey/start', {})
    return browser.post('prove/passkey', { credential: passkey.sign(body, lies) })
  }

  it('lets dangerous acts be done for ten minutes, with another token', async () => {
    const { browser, passkey } = await somebody()
    harness.clock.advance(11 * 60_000)
    expect((await browser.graphql(CREATE_KEY)).text).toContain('"PROOF_REQUIRED"')
    const before = browser.cookie() ?? ''
    expect((await prove(browser, passkey)).status).toBe(200)
    expect((await browser.graphql(CREATE_KEY)).body.data).toEqual({ createApiKey: { errors: [] } })
    expect((await browser.get('session', { cookie: before })).status).toBe(401)
  })

  it("takes no other person's passkey, no unverified one, no count that goes back, and no challenge twice", async () => {
    const [one, other] = [await somebody(), await somebody()]
    harness.clock.advance(11 * 60_000)
    const { body } = await one.browser.post('prove/passkey/start', {})
    expect(body).toMatchObject({ allowCredentials: [{ id: one.passkey.id, transports: ['internal'] }] })
    expect(await prove(one.browser, other.passkey)).toMatchObject(REFUSED)
    expect(await prove(one.browser, one.passkey, { isVerified: false })).toMatchObject(REFUSED)
    expect(await prove(one.browser, one.passkey, { origin: 'https://evil.example' })).toMatchObject(REFUSED)
    expect((await one.browser.graphql(CREATE_KEY)).text).toContain('"PROOF_REQUIRED"')
    expect((await prove(one.browser, one.passkey, { counter: 9 })).status).toBe(200)
    expect(await prove(one.browser, one.passkey, { counter: 9 })).toMatchObject(REFUSED)
    expect((await newestActs(one.browser))[0]).toMatchObject({ operation: 'prove', outcome: 'passkey_counter_back' })
    const again = await one.browser.post('prove/passkey/start', {})
    const credential = one.passkey.sign(again.body, { counter: 10 })
    expect((await one.browser.post('prove/passkey', { credential })).status).toBe(200)
    expect(await one.browser.post('prove/passkey', { credential })).toMatchObject(REFUSED)
  })

  it('is of one session, and what was signed for it signs nobody in', async () => {
    const { browser, email, passkey } = await somebody()
    const second = await signIn(harness, email)
    await second.post('prove/passkey/start', {})
    const { body } = await browser.post('prove/passkey/start', {})
    const credential = passkey.sign(body)
    expect(await second.post('prove/passkey', { credential })).toMatchObject(REFUSED)
    expect(await browser.post('sign-in/passkey', { credential })).toMatchObject(REFUSED)
    expect((await browser.post('prove/passkey', { credential })).status).toBe(200)
  })

  it('is nothing to who has none, or is not signed in', async () => {
    const browser = await signIn(harness, 'without-passkey@example.com')
    expect((await browser.get('session')).body).toMatchObject({ hasPasskeys: false })
    expect((await browser.post('prove/passkey/start', {})).status).toBe(404)
    expect((await consoleBrowser(harness).post('prove/passkey/start', {})).status).toBe(401)
  })
})

describe('a passkey', () => {
  it('is added soon after a proof alone, under a name, for an operator too', async () => {
    const browser = await signIn(harness, 'operator@example.com')
    const options = await startPasskey(browser)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const made = authenticator(harness.publicUrl)
    const nameless = await addPasskey(browser, ' ', made.create(options))
    expect(nameless).toEqual({ passkey: null, errors: [{ code: 'VALIDATION_ERROR', path: ['name'] }] })
    const added = await addPasskey(browser, ' Key ring ', made.create(options))
    expect(added).toMatchObject({ passkey: { name: 'Key ring', lastUsedAt: null }, errors: [] })
    expect((await passkeySignIn(consoleBrowser(harness), made)).body).toMatchObject({ person: { isOperator: true } })
    expect((await newestActs(browser))[1]).toMatchObject({ operation: 'addPasskey', outcome: 'done' })
    harness.clock.advance(11 * 60_000)
    for (const mutation of ['startPasskey { errors { code } }', 'removePasskey(id: "x") { errors { code } }'])
      expect((await browser.graphql(`mutation { ${mutation} }`)).text).toContain('"PROOF_REQUIRED"')
  })

  it.each([
    ['made at another origin', { origin: 'https://evil.example' }],
    ['made for another relying party', { relyingPartyId: 'evil.example' }],
    ['made for another challenge', { challenge: 'AAAA' }],
    ['made without verifying the person', { isVerified: false }],
    ['that comes with certificates', { format: 'packed' }],
    ['that claims another attestation', { format: 'tpm' }],
  ])('%s is not added', async (_, lies) => {
    const { browser } = await somebody()
    const made = authenticator(harness.publicUrl)
    const options = await startPasskey(browser)
    const refused = { passkey: null, errors: [{ code: 'VALIDATION_ERROR', path: ['credential'] }] }
    expect(await addPasskey(browser, 'x', made.create(options, lies))).toEqual(refused)
    // The challenge is used.
    expect(await addPasskey(browser, 'x', made.create(options))).toEqual(refused)
    expect((await browser.graphql(PASSKEYS)).body.data?.['passkeys']).toHaveLength(1)
  })

  it("is nobody else's, is added once, and within five minutes", async () => {
    const [one, other] = [await somebody(), await somebody()]
    const refused = { passkey: null, errors: [{ code: 'VALIDATION_ERROR', path: ['credential'] }] }
    const stolen = one.passkey.create(await startPasskey(other.browser))
    expect(await addPasskey(other.browser, 'x', stolen)).toEqual(refused)
    const late = authenticator(harness.publicUrl).create(await startPasskey(one.browser))
    harness.clock.advance(5 * 60_000)
    expect(await addPasskey(one.browser, 'x', late)).toEqual(refused)
    const id = one.passkey.passkeyId
    expect((await other.browser.graphql(REMOVE, { id })).text).toContain('"NOT_FOUND"')
    const { body } = await other.browser.graphql(PASSKEYS)
    expect(body.data?.['passkeys']).toMatchObject([{ id: other.passkey.passkeyId }])
  })

  it('that is removed signs nobody in', async () => {
    const { browser, passkey } = await somebody()
    const { body } = await browser.graphql(REMOVE, { id: passkey.passkeyId })
    expect(body.data).toEqual({ removePasskey: { passkey: { id: passkey.passkeyId }, errors: [] } })
    expect(await passkeySignIn(consoleBrowser(harness), passkey)).toMatchObject(REFUSED)
    expect((await browser.get('session')).body).toMatchObject({ hasPasskeys: false })
  })

  it('is one of twenty of a person at most', async () => {
    const { browser, email } = await somebody()
    await harness.sql(
      `insert into accounts.passkey (id, person_id, credential_id, public_key, counter, transports, name, created_at)
        select k.id || n, person_id, credential_id || n, public_key, 0, '{}', 'x', now()
        from accounts.passkey k join accounts.person p on p.id = person_id, generate_series(1, 19) n where email = $1`,
      [email],
    )
    const made = authenticator(harness.publicUrl).create(await startPasskey(browser))
    expect(await addPasskey(browser, 'x', made)).toMatchObject({ errors: [{ code: 'INVALID_PARAMETERS' }] })
  })
})
