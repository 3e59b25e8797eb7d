import { describe, expect, it } from 'vitest'
import { codeFor, consoleBrowser, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness({ TRUSTED_PROXIES: '127.0.0.1' })

/** Where a stranger sits, and where the person does who has not signed in before. */
const STRANGER = { 'x-forwarded-for': '203.0.113.7' }
const PERSON = { 'x-forwarded-for': '198.51.100.7' }

/** A stranger asks for codes until none is sent any more, each time in a browser that has no cookie. */
async function useUp(email: string, headers: Record<string, string>): Promise<number> {
  let sent = 0
  for (let quarter = 0; quarter < 5; quarter += 1) {
    for (let asked = 0; asked < 6; asked += 1)
      if ((await consoleBrowser(harness).post('sign-in', { email }, headers)).status === 202) sent += 1
    harness.clock.advance(15 * 60_000 + 1)
  }
  return sent
}

describe('a stranger who asks for codes to an address', () => {
  it('keeps its person out neither where he has signed in before, nor from another network', async () => {
    const email = 'operator@example.com'
    const known = await signIn(harness, email)
    await known.post('sign-out', {})
    expect(await useUp(email, STRANGER)).toBe(20)
    // The stranger may be behind the same address of the network as the person.
    expect(await useUp(email, {})).toBe(19)
    expect((await known.post('sign-in', { email })).status).toBe(202)
    const code = await codeFor(harness, email)
    expect((await known.post('sign-in/code', { email, code })).status).toBe(200)
    const fresh = consoleBrowser(harness)
    expect((await fresh.post('sign-in', { email }, PERSON)).status).toBe(202)
    const other = await codeFor(harness, email)
    expect((await fresh.post('sign-in/code', { email, code: other }, PERSON)).status).toBe(200)
  })

  it('neither wears out the code in the mailbox by guesses nor makes it worthless by another one', async () => {
    const email = 'owner@example.com'
    const person = consoleBrowser(harness)
    await person.post('sign-in', { email }, PERSON)
    const code = await codeFor(harness, email)
    const stranger = consoleBrowser(harness)
    for (const browser of [stranger, consoleBrowser(harness)])
      for (let guess = 0; guess < 5; guess += 1)
        expect((await browser.post('sign-in/code', { email, code: '00000000' }, STRANGER)).status).toBe(401)
    expect((await stranger.post('sign-in', { email }, STRANGER)).status).toBe(202)
    // What he would have to do to it: the code itself is nothing in his browser.
    expect((await stranger.post('sign-in/code', { email, code }, STRANGER)).status).toBe(401)
    expect((await person.post('sign-in/code', { email, code }, PERSON)).status).toBe(200)
  })
})

describe('the cookie of a browser that asks for a code', () => {
  const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie'])

  it('is for our pages alone, no script reads it, and it stays what it is', async () => {
    const browser = consoleBrowser(harness)
    const [first, second] = [
      await browser.post('sign-in', { email: 'cookie@example.com' }, PERSON),
      await browser.post('sign-in', { email: 'cookie@example.com' }, PERSON),
    ]
    expect(cookieOf(first.headers)).toMatch(
      /^console_browser=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=7776000$/,
    )
    expect(cookieOf(second.headers)).toBe(cookieOf(first.headers))
    const code = await codeFor(harness, 'cookie@example.com')
    expect((await browser.post('sign-in/code', { email: 'cookie@example.com', code }, PERSON)).status).toBe(200)
    const [row] = await harness.sql(`select (select json_agg(k) from accounts.known_browser k)::text as stored`)
    expect(String(row?.['stored'])).toContain('cookie@example.com')
    expect(String(row?.['stored'])).not.toContain(/=([\w-]{43});/.exec(cookieOf(first.headers))?.[1])
  })

  it('is another one where what it holds is no token of ours', async () => {
    const cookie = { cookie: 'console_browser=mine' }
    const answer = await consoleBrowser(harness).post('sign-in', { email: 'cookie2@example.com' }, cookie)
    expect(cookieOf(answer.headers)).toMatch(/^console_browser=[\w-]{43};/)
  })
})
