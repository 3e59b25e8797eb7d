import { describe, expect, it } from 'vitest'
import { startAccountsHarness } from '../../../test/harness/accounts.js'
import { statementsOf } from '../../../test/harness/count-statements.js'
import { sendCode } from './codes.js'
import { testPeopleDeps } from './fixtures/people-deps.js'
import { signIn } from './sign-in.js'

const harness = await startAccountsHarness()
const { db } = harness
const sent: { to: string; text: string }[] = []
const deps = {
  ...testPeopleDeps(harness, ['operator@example.com']),
  sendMail: async (message: { to: string; text: string }) => void sent.push(message),
}

let origins = 0
const origin = () => ({ hash: String((origins += 1)), address: '127.0.0.1', agent: 'test' })
const browserHash = 'browser'
const ask = (email: string) =>
  statementsOf(db.pool, () => sendCode(deps, { email, purpose: 'sign-in', browserHash }, { language: 'en' }))
const guess = (email: string, code: string) =>
  statementsOf(db.pool, () => signIn(deps, { email, code, browserHash, ...origin() }))

/** Makes somebody known, by a sign-in. */
async function know(email: string): Promise<void> {
  await ask(email)
  const code = /\b\d{8}\b/.exec(sent.at(-1)?.text ?? '')?.[0] ?? ''
  expect(await signIn(deps, { email, code, browserHash, ...origin() })).toBe(true)
}

describe('an address that is known', () => {
  it('is asked of the database what one is that nobody knows, so that no time tells them apart', async () => {
    await know('known@example.com')
    await know('operator@example.com')
    const asked = [await ask('known@example.com'), await ask('operator@example.com'), await ask('nobody@example.com')]
    expect(asked[0]?.length).toBeGreaterThan(2)
    expect(asked.slice(0, 2)).toEqual([asked[2], asked[2]])
    const guessed: string[][] = []
    for (const email of ['known@example.com', 'operator@example.com', 'nobody@example.com', 'unasked@example.com'])
      guessed.push(await guess(email, 'no code'))
    expect(guessed[0]?.length).toBeGreaterThan(0)
    expect(guessed).toEqual(guessed.map(() => guessed[0]))
    expect(sent.map(({ text }) => text.replaceAll(/\d{8}/g, '')).slice(2)).toEqual(
      Array(3).fill(sent[0]?.text.replaceAll(/\d{8}/g, '')),
    )
  })
})
