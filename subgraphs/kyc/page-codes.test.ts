import { describe, expect, it } from 'vitest'
import { startKycHarness, wrongFor } from '../../test/harness/kyc.js'

const harness = await startKycHarness()

describe('a code that a payment’s page asks for', () => {
  const A = { pageOf: 'payment-a' }
  const B = { pageOf: 'payment-b' }
  const sendOn = async (email: string, page: { pageOf: string }) =>
    (await harness.send('sendEmailOtp', { input: { email, again: true } }, page)).code
  const newest = async (email: string) => (await harness.codes(email)).at(-1) ?? ''

  /** Has a page send so many codes to an address, five each quarter of an hour. */
  async function sendMany(email: string, count: number, page: { pageOf: string }): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      if (sent % 5 === 0) harness.clock.advance(15 * 60_000 + 1)
      expect(await sendOn(email, page)).toBeUndefined()
    }
  }

  it('takes nothing of the tenant’s own: neither its code, nor the tries, nor the sends', async () => {
    const email = await harness.preparedEmail()
    await sendMany(email, 19, A)
    await harness.must('sendEmailOtp', { input: { email } })
    const code = await newest(email)
    expect(await sendOn(email, A)).toBeUndefined()
    expect(await sendOn(email, A)).toBe('OTP_RATE_LIMITED')
    for (let count = 0; count < 6; count += 1)
      await harness.send('verifyEmailOtp', { input: { email, code: wrongFor(await newest(email)), again: true } }, A)
    const exhausted = await harness.send('verifyEmailOtp', { input: { email, code, again: true } }, A)
    expect(exhausted.code).toBe('OTP_MAX_ATTEMPTS')
    expect(await harness.must('verifyEmailOtp', { input: { email, code } })).toEqual({ email })
  })

  it('works on its own page alone, and takes nothing of another payment’s page', async () => {
    const email = await harness.provedEmail()
    expect(await sendOn(email, B)).toBeUndefined()
    const input = { email, code: await newest(email), again: true }
    await sendMany(email, 20, A)
    expect((await harness.send('verifyEmailOtp', { input }, { pageOf: 'payment-c' })).code).toBe('OTP_INVALID')
    expect((await harness.send('verifyEmailOtp', { input })).code).toBe('OTP_INVALID')
    expect(await sendOn(email, B)).toBeUndefined()
    input.code = await newest(email)
    expect(await sendOn(email, A)).toBe('OTP_RATE_LIMITED')
    await harness.must('verifyEmailOtp', { input }, B)
    expect((await harness.send('verifyEmailOtp', { input }, B)).code).toBe('OTP_INVALID')
  })

  /** Has pages of their own send so many codes each, of which none is refused. */
  async function sendOnPages(email: string, name: string, pages: number, each: number): Promise<void> {
    for (let page = 0; page < pages; page += 1)
      for (let sent = 0; sent < each; sent += 1)
        expect(await sendOn(email, { pageOf: `${name}-${page}` })).toBeUndefined()
  }

  it('is sent twice on a page that is new when a few have used up what all have, a hundred and fifty times a day in all', async () => {
    const email = await harness.preparedEmail()
    await sendOnPages(email, 'page', 12, 5)
    // They were the first to ask, and have had more than two.
    harness.clock.advance(15 * 60_000 + 1)
    expect(await sendOn(email, { pageOf: 'page-0' })).toBe('OTP_RATE_LIMITED')
    expect(await sendOn(email, B)).toBeUndefined()
    expect(await sendOn(email, B)).toBeUndefined()
    const input = { email, code: await newest(email), again: true }
    expect(await sendOn(email, B)).toBe('OTP_RATE_LIMITED')
    await sendOnPages(email, 'new', 44, 2)
    expect(await sendOn(email, { pageOf: 'payment-c' })).toBe('OTP_RATE_LIMITED')
    // All that takes neither a page's code nor the tenant's.
    await harness.must('sendEmailOtp', { input: { email } })
    expect(await harness.must('verifyEmailOtp', { input }, B)).toEqual({ email })
    harness.clock.advance(2 * 86_400_000 + 1)
    await harness.runPeriodic('remove-old-code-sends')
    const left = 'select count(*)::int as n from kyc.page_otp union all select count(*)::int from kyc.email_otp_send'
    expect(await harness.query(left)).toEqual([{ n: 0 }, { n: 0 }])
    expect(await sendOn(email, B)).toBeUndefined()
  })
})
