import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { UnsentMail } from '../../../kernel/unsent-mail.js'
import { startAccountsHarness } from '../../../test/harness/accounts.js'
import { forgetCodes, sendCode } from './codes.js'
import { testPeopleDeps } from './fixtures/people-deps.js'
import { signIn } from './sign-in.js'

const DAY_MS = 86_400_000
const harness = await startAccountsHarness()
const { clock } = harness
const sent: { to: string; text: string }[] = []
/** How the mail server fails, and whether it has taken the e-mail. */
const mailServer: { failure?: AppError; isSent?: boolean } = {}
const deps = {
  ...testPeopleDeps(harness),
  sendMail: (message: { to: string; text: string }): Promise<void> => {
    const { failure, isSent } = mailServer
    if (!failure || isSent) sent.push(message)
    return failure ? Promise.reject(failure) : Promise.resolve()
  },
}

let people = 0
const newEmail = (): string => `person${(people += 1)}@limits.example`

let browsers = 0
/** A browser that has never been here: whoever takes its cookies away has another one. */
const newBrowser = (): string => `browser ${(browsers += 1)}`

/** @returns the code that was sent; undefined where none is sent any more */
async function ask(email: string, network: string, browserHash = newBrowser()): Promise<string | undefined> {
  try {
    await sendCode(deps, { email, purpose: 'sign-in', browserHash }, { network, language: 'en' })
  } catch (error) {
    if (error instanceof AppError && error.code === 'otp_rate_limited') return undefined
    throw error
  }
  return lastCodeOf(email)
}

const lastCodeOf = (email: string): string | undefined =>
  /\b\d{8}\b/.exec(sent.findLast(({ to }) => to === email)?.text ?? '')?.[0]

let sessions = 0
const enter = (email: string, browserHash: string, code = 'none'): Promise<boolean> =>
  signIn(deps, { email, code, browserHash, hash: String((sessions += 1)), address: '192.0.2.1', agent: 'test' })

/** What a network gets of codes when a new browser asks for each, as fast as it may. */
async function takeAll(email: string, network: string, most: number): Promise<number> {
  let codes = 0
  for (let tries = 0; tries < most; tries += 1) {
    if ((await ask(email, network)) !== undefined) codes += 1
    else clock.advance(15 * 60_000 + 1)
  }
  return codes
}

describe('what an address is sent to sign in', () => {
  it('is five codes in a quarter of an hour and twenty a day to a network, however many browsers it has', async () => {
    const email = newEmail()
    const first = await Promise.all(Array.from({ length: 10 }, () => ask(email, '192.0.2.1')))
    expect(first.filter((code) => code !== undefined)).toHaveLength(5)
    clock.advance(15 * 60_000 + 1)
    expect(await takeAll(email, '192.0.2.1', 40)).toBe(15)
    expect(await ask(email, '192.0.2.1')).toBeUndefined()
    const browser = newBrowser()
    expect(await enter(email, browser, await ask(email, '198.51.100.1', browser))).toBe(true)
    clock.advance(DAY_MS)
    expect(await ask(email, '192.0.2.1')).toBeDefined()
  })

  it('is its own share in a browser in which its person has signed in, on whatever network', async () => {
    const [email, browser] = [newEmail(), newBrowser()]
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
    expect(await takeAll(email, '192.0.2.1', 40)).toBe(19)
    for (let asked = 1; asked < 5; asked += 1) expect(await ask(email, '192.0.2.1', browser)).toBeDefined()
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
    expect(await ask(email, '198.51.100.1', browser)).toBeUndefined()
    // What it knows of one address says nothing of another.
    const other = newEmail()
    expect(await takeAll(other, '192.0.2.1', 40)).toBe(20)
    expect(await ask(other, '192.0.2.1', browser)).toBeUndefined()
  })

  it('ends for strangers after a hundred codes of all networks together, and not for who is known', async () => {
    const [email, browser] = [newEmail(), newBrowser()]
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
    clock.advance(DAY_MS)
    for (const network of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      expect(await takeAll(email, network, 30)).toBe(20)
    let codes = 60
    for (let host = 1; host <= 25; host += 1) codes += await takeAll(email, `198.51.100.${host}`, 3)
    expect(codes).toBe(100)
    expect(await ask(email, '192.0.2.1')).toBeUndefined()
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
  })

  it('counts for nothing where the e-mail certainly was not sent', async () => {
    const [email, browser] = [newEmail(), newBrowser()]
    mailServer.failure = new AppError('provider_unavailable', { cause: new UnsentMail() })
    for (let asked = 0; asked < 6; asked += 1)
      await expect(ask(email, '192.0.2.1', browser)).rejects.toBe(mailServer.failure)
    delete mailServer.failure
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
  })

  it.each(['provider_timeout', 'provider_unavailable'] as const)(
    'works and counts where the mail server took it, and failed with %s',
    async (code) => {
      const [email, browser] = [newEmail(), newBrowser()]
      Object.assign(mailServer, { failure: new AppError(code), isSent: true })
      for (let asked = 0; asked < 5; asked += 1)
        await expect(ask(email, '192.0.2.1', browser)).rejects.toMatchObject({ code })
      delete mailServer.failure
      expect(await ask(email, '192.0.2.1', browser)).toBeUndefined()
      expect(await enter(email, browser, lastCodeOf(email))).toBe(true)
    },
  )
})

describe('a code to sign in', () => {
  it('is what its browser asked for last, whatever others ask for and type', async () => {
    const [email, browser, stranger] = [newEmail(), newBrowser(), newBrowser()]
    const old = await ask(email, '192.0.2.1', browser)
    const code = await ask(email, '192.0.2.1', browser)
    const strange = await ask(email, '203.0.113.1', stranger)
    for (let guess = 0; guess < 6; guess += 1) expect(await enter(email, stranger)).toBe(false)
    expect(await enter(email, stranger, code)).toBe(false)
    expect(await enter(email, stranger, strange)).toBe(false)
    expect(await enter(email, browser, old)).toBe(false)
    expect(await enter(email, browser, code)).toBe(true)
    expect(await enter(email, browser, code)).toBe(false)
  })
})

describe('a browser in which somebody has signed in', () => {
  it('is forgotten 90 days after the last time', async () => {
    const [email, browser] = [newEmail(), newBrowser()]
    const isKnown = async () => {
      await takeAll(email, '192.0.2.1', 40)
      return (await ask(email, '192.0.2.1', browser)) !== undefined
    }
    expect(await enter(email, browser, await ask(email, '192.0.2.1', browser))).toBe(true)
    clock.advance(89 * DAY_MS)
    await forgetCodes(deps)
    expect(await isKnown()).toBe(true)
    clock.advance(DAY_MS)
    expect(await isKnown()).toBe(false)
    await forgetCodes(deps)
    const left = await harness.db.pool.query('select 1 from accounts.known_browser where email = $1', [email])
    expect(left.rows).toEqual([])
  })
})
