import { expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'

const harness = await startKycHarness()

/** Rounds at once, each with a person of its own: two transactions have to cross within a millisecond. */
const ROUNDS = 60
const AT_ONCE = 3

it.each([
  ['for the tenant', {}],
  ['on a payment’s page', { pageOf: 'payment' }],
])('a right code %s, and a new one that is asked for at the same time, never wait for each other', async (_, page) => {
  const race = async (): Promise<unknown[]> => {
    const { email, code } = await harness.sentCode(page)
    const outcomes = await Promise.all([
      harness.send('sendEmailOtp', { input: { email } }, page),
      harness.send('verifyEmailOtp', { input: { email, code } }, page),
    ])
    return outcomes.map((outcome) => outcome.code)
  }
  const answers = new Set<string>()
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    for (const codes of await Promise.all(Array.from({ length: AT_ONCE }, race))) answers.add(JSON.stringify(codes))
  // Whoever came first: the code was right, or there was another one by then.
  const possible = [
    ['EMAIL_ALREADY_VERIFIED', undefined],
    [undefined, undefined],
    [undefined, 'OTP_INVALID'],
  ].map((codes) => JSON.stringify(codes))
  expect([...answers].filter((codes) => !possible.includes(codes))).toEqual([])
})
