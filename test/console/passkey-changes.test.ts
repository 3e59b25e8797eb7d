import { describe, expect, it } from 'vitest'
import { authenticator } from '../harness/authenticator.js'
import { newOwner, type ConsoleBrowser } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { mailsTo, untilMail } from '../harness/mailbox.js'
import { addPasskey, newPasskey, startPasskey } from '../harness/passkeys.js'
import { until } from '../harness/until.js'

const harness = await startHarness()

/** Somebody with a passkey called Laptop, at a tenant of their own. */
async function somebody() {
  harness.clock.advance(60_000)
  const { browser, email } = await newOwner(harness)
  return { browser, email, ...(await newPasskey(harness, browser)) }
}

const REMOVE =
  'mutation ($id: ID!, $language: InvitationLanguage) { removePasskey(id: $id, language: $language) { errors { code } } }'
const RENAME = `mutation ($id: ID!, $name: String!) {
  renamePasskey(id: $id, name: $name) { passkey { id name } errors { code path } } }`
const renamed = async (browser: ConsoleBrowser, id: string, name: string) =>
  (await browser.graphql(RENAME, { id, name })).body.data?.['renamePasskey']
const namesOf = async (browser: ConsoleBrowser) =>
  (await browser.graphql('{ passkeys { name } }')).body.data?.['passkeys']

describe('who a passkey belongs to', () => {
  it('is told by e-mail that it was added, when and from where, and what to do if that was somebody else', async () => {
    const { email } = await somebody()
    const mail = await untilMail(harness, email, 'A passkey was added')
    for (const part of ['“Laptop”', '127.0.0.1', 'end all sessions', `${harness.publicUrl}/console`]) {
      expect(mail.text).toContain(part)
      expect(mail.html).toContain(part)
    }
  })

  it('is told in the language of the page that it was removed, and nobody else is', async () => {
    const [one, other] = [await somebody(), await somebody()]
    await one.browser.graphql(REMOVE, { id: one.passkeyId, language: 'PT' })
    const mail = await untilMail(harness, one.email, 'Uma chave de acesso foi removida')
    expect(mail.text).toContain('“Laptop”')
    await untilMail(harness, other.email, 'A passkey was added')
    expect((await mailsTo(harness, other.email)).map(({ subject }) => subject)).not.toContain(mail.subject)
  })

  it('is told nothing of what was not done', async () => {
    const { browser, email, passkeyId } = await somebody()
    const made = authenticator(harness.publicUrl)
    const lie = { origin: 'https://evil.example' }
    const { errors } = await addPasskey(browser, 'Theirs', made.create(await startPasskey(browser), lie))
    expect(errors).toMatchObject([{ code: 'VALIDATION_ERROR' }])
    const other = await somebody()
    expect((await other.browser.graphql(REMOVE, { id: passkeyId })).text).toContain('"NOT_FOUND"')
    const { passkey } = await addPasskey(
      browser,
      'Mine',
      authenticator(harness.publicUrl).create(await startPasskey(browser)),
    )
    await until('the next e-mail has come', async () =>
      (await mailsTo(harness, email)).some(({ text }) => text.includes('“Mine”')),
    )
    // What was ordered before it was sent before it, or is in the queue.
    const queued = await harness.sql(
      "select payload::text from graphile_worker._private_jobs where payload::text like '%Theirs%'",
    )
    expect([passkey?.name, queued]).toEqual(['Mine', []])
    const texts = (await mailsTo(harness, email)).map(({ text }) => text).join()
    expect(texts).not.toContain('Theirs')
    expect(texts).not.toContain('was removed')
  })
})

describe('a passkey', () => {
  it('is renamed by its person, without a proof, and that is written down', async () => {
    const { browser, passkeyId } = await somebody()
    harness.clock.advance(11 * 60_000)
    expect(await renamed(browser, passkeyId, '  Work laptop ')).toEqual({
      passkey: { id: passkeyId, name: 'Work laptop' },
      errors: [],
    })
    expect(await namesOf(browser)).toEqual([{ name: 'Work laptop' }])
    const { body } = await browser.graphql('{ auditLog(first: 1) { edges { node { operation subjects outcome } } } }')
    expect(body.data?.['auditLog']).toEqual({
      edges: [{ node: { operation: 'renamePasskey', subjects: { id: passkeyId }, outcome: 'done' } }],
    })
  })

  it.each([' ', 'x'.repeat(61)])('has a name of 1 to 60 characters: not %j', async (name) => {
    const { browser, passkeyId } = await somebody()
    expect(await renamed(browser, passkeyId, name)).toEqual({
      passkey: null,
      errors: [{ code: 'VALIDATION_ERROR', path: ['name'] }],
    })
    expect(await namesOf(browser)).toEqual([{ name: 'Laptop' }])
  })

  it('of somebody else is not there to be renamed', async () => {
    const [one, other] = [await somebody(), await somebody()]
    expect(await renamed(other.browser, one.passkeyId, 'Stolen')).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] })
    expect(await namesOf(one.browser)).toEqual([{ name: 'Laptop' }])
  })
})
