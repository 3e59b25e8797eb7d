import { expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession } from '../../test/harness/kyc-sessions.js'
import { until } from '../../test/harness/until.js'

const harness = await startKycHarness({ timeoutMs: 2_000 })

/** How many calls the provider has had. */
async function calls(): Promise<number> {
  const answer = await fetch(`${harness.simulator.url}/sandbox/calls`)
  return ((await answer.json()) as { count: number }).count
}

const read = ({ email }: { email: string }) => harness.must('kycRecord', { email })

it('a provider that hangs is asked once for all who ask of a person, and then by one in five seconds: the others are answered at once', async () => {
  const [one, two] = [await newSession(harness), await newSession(harness)]
  harness.clock.advance(16_000)
  await harness.fault('provider', { mode: 'slow', ms: 60_000, about: '/decision' })
  const before = await calls()
  const stored = { sessionStatus: 'Not Started' }
  for (const record of await Promise.all([read(one), read(one), read(one)])) expect(record).toMatchObject(stored)
  expect(await calls()).toBe(before + 1)
  for (const person of [one, two]) expect(await read(person)).toMatchObject(stored)
  expect(await harness.must('kycStanding', { email: two.email })).toEqual({ state: 'NOT_APPROVED' })
  expect(await calls()).toBe(before + 1)
  harness.clock.advance(5_000)
  const again = read(one)
  await until('it is asked again', async () => (await calls()) === before + 2)
  expect(await read(two)).toMatchObject(stored)
  expect(await calls()).toBe(before + 2)
  expect(await again).toMatchObject(stored)
})

it('a provider that answers again is asked as before', async () => {
  const [one, two] = [await newSession(harness), await newSession(harness)]
  harness.clock.advance(16_000)
  await harness.fault('provider', { mode: 'ok' })
  for (const { email, sessionId } of [one, two]) {
    await harness.decide(sessionId, { status: 'Declined', callback: false })
    expect(await read({ email })).toMatchObject({ sessionStatus: 'Declined' })
  }
})

it('a code that a slow mail server takes after its time is right, and counts', async () => {
  const email = await harness.preparedEmail()
  await harness.fault('mail', { mode: 'slow', ms: 2_500, times: 1 })
  expect((await harness.send('sendEmailOtp', { input: { email } })).code).toBe('PROVIDER_TIMEOUT')
  const [code] = await until('the code has arrived', async () => {
    const codes = await harness.codes(email)
    return codes.length > 0 && codes
  })
  await harness.must('verifyEmailOtp', { input: { email, code } })
  const { id } = await harness.must('kycRecord', { email })
  const sends = 'select count(*)::int as n from kyc.email_otp_send where person_id = $1'
  expect(await harness.query(sends, [id])).toEqual([{ n: 1 }])
})
