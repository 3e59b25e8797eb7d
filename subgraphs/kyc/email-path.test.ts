import { describe, expect, it } from 'vitest'
import { parse } from 'graphql'
import { startKycHarness, wrongFor } from '../../test/harness/kyc.js'

const harness = await startKycHarness()

/** What a try of a code is refused for; undefined where it is right. */
const verify = async (input: { email: string; code: string }) => (await harness.send('verifyEmailOtp', { input })).code

/** What an operation is refused with; undefined where it is not. */
const refusalOf = async (name: 'sendEmailOtp' | 'verifyEmailOtp', input: object) =>
  (await harness.send(name, { input })).code

describe('preparing an e-mail address', () => {
  it('prepares once, and tells the second time where they stand', async () => {
    const email = harness.newEmail()
    expect(await harness.must('prepareKyc', { input: { email } })).toEqual({
      created: true,
      emailVerified: false,
      walletVerified: false,
      kycApproved: false,
      kycStatus: 'PENDING',
    })
    const again = await harness.must('prepareKyc', { input: { email: `  ${email.toUpperCase()} ` } })
    expect(again).toMatchObject({ created: false, emailVerified: false, kycStatus: 'PENDING' })
  })

  it('makes one person of twenty requests at once', async () => {
    const email = harness.newEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.must('prepareKyc', { input: { email } })),
    )
    expect(answers.filter(({ created }) => created)).toHaveLength(1)
  })

  it('answers a repeated idempotency key as the first time', async () => {
    const [input, idempotencyKey] = [{ email: harness.newEmail() }, 'prepare-1']
    const first = await harness.send('prepareKyc', { input }, { idempotencyKey })
    const second = await harness.send('prepareKyc', { input }, { idempotencyKey })
    expect(second).toEqual({ ...first, replayed: true })
  })
})

describe('a one-time code', () => {
  it('proves the address, once', async () => {
    const { email, code } = await harness.sentCode()
    expect(code).toMatch(/^\d{6}$/)
    expect(await harness.must('verifyEmailOtp', { input: { email, code } })).toEqual({ email })
    expect(await verify({ email, code })).toBe('EMAIL_ALREADY_VERIFIED')
    expect((await harness.send('sendEmailOtp', { input: { email } })).code).toBe('EMAIL_ALREADY_VERIFIED')
    const again = await harness.must('prepareKyc', { input: { email } })
    expect(again).toMatchObject({ created: false, emailVerified: true })
  })

  it('goes to nobody who was not prepared', async () => {
    const email = harness.newEmail()
    expect((await harness.send('sendEmailOtp', { input: { email } })).code).toBe('USER_NOT_FOUND')
    expect(await verify({ email, code: '000000' })).toBe('USER_NOT_FOUND')
    expect(await harness.codes(email)).toEqual([])
  })

  it('is wrong where none is outstanding', async () => {
    const email = await harness.preparedEmail()
    expect(await verify({ email, code: '000000' })).toBe('OTP_INVALID')
  })

  it('dies after five wrong tries, even for who then knows it', async () => {
    const { email, code } = await harness.sentCode()
    for (let count = 0; count < 5; count += 1) expect(await verify({ email, code: wrongFor(code) })).toBe('OTP_INVALID')
    expect(await verify({ email, code })).toBe('OTP_MAX_ATTEMPTS')
    await harness.must('sendEmailOtp', { input: { email } })
    const [, fresh] = await harness.codes(email)
    await harness.must('verifyEmailOtp', { input: { email, code: fresh } })
  })

  it('works until just before ten minutes are over', async () => {
    const { email, code } = await harness.sentCode()
    const other = await harness.sentCode()
    harness.clock.advance(10 * 60_000 - 5_000)
    await harness.must('verifyEmailOtp', { input: { email, code } })
    harness.clock.advance(5_000)
    expect(await verify(other)).toBe('OTP_EXPIRED')
  })

  it('makes every earlier one worthless', async () => {
    const { email, code } = await harness.sentCode()
    await harness.must('sendEmailOtp', { input: { email } })
    const [, newest = ''] = await harness.codes(email)
    if (newest !== code) expect(await verify({ email, code })).toBe('OTP_INVALID')
    await harness.must('verifyEmailOtp', { input: { email, code: newest } })
  })

  it('is sent five times in fifteen minutes at most, also when ten requests race', async () => {
    const email = await harness.preparedEmail()
    const sends = await Promise.all(
      Array.from({ length: 10 }, () => harness.send('sendEmailOtp', { input: { email } })),
    )
    expect(sends.map(({ code }) => code).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'OTP_RATE_LIMITED'),
      ...Array.from({ length: 5 }, () => undefined),
    ])
    expect(await harness.codes(email)).toHaveLength(5)
    harness.clock.advance(15 * 60_000 + 1)
    await harness.must('sendEmailOtp', { input: { email } })
  })

  it('is sent five times in each quarter of an hour for as long as nobody guesses', async () => {
    const email = await harness.preparedEmail()
    for (let count = 0; count < 30; count += 1) {
      if (count % 5 === 0) harness.clock.advance(15 * 60_000 + 1)
      await harness.must('sendEmailOtp', { input: { email } })
    }
    expect(await refusalOf('sendEmailOtp', { email })).toBe('OTP_RATE_LIMITED')
    const codes = await harness.codes(email)
    expect(codes).toHaveLength(30)
    await harness.must('verifyEmailOtp', { input: { email, code: codes.at(-1) } })
  })

  it('is sent no more after a hundred wrong tries in 24 hours, until they are over', async () => {
    const email = await harness.preparedEmail()
    const send = async () => (await harness.send('sendEmailOtp', { input: { email } })).code
    for (let count = 0; count < 20; count += 1) {
      if (count % 5 === 0) harness.clock.advance(15 * 60_000 + 1)
      expect(await send()).toBeUndefined()
      const code = wrongFor((await harness.codes(email)).at(-1) ?? '')
      for (let tries = 0; tries < 5; tries += 1) expect(await verify({ email, code })).toBe('OTP_INVALID')
    }
    harness.clock.advance(15 * 60_000 + 1)
    const refused = await Promise.all(Array.from({ length: 10 }, send))
    expect(refused).toEqual(refused.map(() => 'OTP_RATE_LIMITED'))
    // What is typed for the tenant takes nothing of a payment's page.
    const onPage = await harness.send('sendEmailOtp', { input: { email } }, { pageOf: 'payment' })
    expect(onPage.code).toBeUndefined()
    harness.clock.advance(22 * 3_600_000)
    expect(await send()).toBe('OTP_RATE_LIMITED')
    harness.clock.advance(2 * 3_600_000)
    expect(await send()).toBeUndefined()
  })

  it('is counted no longer than its limits count, and leaves nothing after that', async () => {
    const { email } = await harness.sentCode()
    const { id } = await harness.must('kycRecord', { email })
    const sends = async () => {
      await harness.runPeriodic('remove-old-code-sends')
      const rows = await harness.query('select count(*)::int as n from kyc.email_otp_send where person_id = $1', [id])
      return rows[0]?.['n']
    }
    harness.clock.advance(86_400_000)
    expect(await sends()).toBe(1)
    harness.clock.advance(86_400_000)
    await harness.must('sendEmailOtp', { input: { email } })
    expect(await sends()).toBe(1)
    harness.clock.advance(2 * 86_400_000 + 1)
    expect(await sends()).toBe(0)
  })

  it('does not count where the mail server refused it', async () => {
    const email = await harness.preparedEmail()
    for (let count = 0; count < 2; count += 1) {
      await harness.fault('mail', { mode: 'error', times: 1 })
      expect(await refusalOf('sendEmailOtp', { email })).toBe('PROVIDER_UNAVAILABLE')
    }
    for (let count = 0; count < 5; count += 1) await harness.must('sendEmailOtp', { input: { email } })
  })

  it('works, and counts, where the mail server took it and its answer got lost', async () => {
    const email = await harness.preparedEmail()
    for (let count = 0; count < 5; count += 1) {
      await harness.fault('mail', { mode: 'drop-answer', times: 1 })
      expect(await refusalOf('sendEmailOtp', { email })).toBe('PROVIDER_UNAVAILABLE')
    }
    expect(await refusalOf('sendEmailOtp', { email })).toBe('OTP_RATE_LIMITED')
    const codes = await harness.codes(email)
    expect(codes).toHaveLength(5)
    await harness.must('verifyEmailOtp', { input: { email, code: codes.at(-1) } })
  })

  it('is sent once for a repeated idempotency key', async () => {
    const email = await harness.preparedEmail()
    const send = () => harness.send('sendEmailOtp', { input: { email } }, { idempotencyKey: 'send-1' })
    const first = await send()
    expect(await send()).toEqual({ ...first, replayed: true })
    expect(await harness.codes(email)).toHaveLength(1)
  })

  it('is answered as at first for a repeated idempotency key, also when its owner is no longer known', async () => {
    const { email, code } = await harness.sentCode()
    const keyed = (idempotencyKey: string) =>
      harness.send('verifyEmailOtp', { input: { email, code } }, { idempotencyKey })
    const first = await keyed('verify-1')
    expect(first).toMatchObject({ code: undefined, replayed: false })
    await harness.query('delete from kyc.person where id = $1', [(await harness.must('kycRecord', { email }))['id']])
    expect((await keyed('verify-2')).code).toBe('USER_NOT_FOUND')
    expect(await keyed('verify-1')).toEqual({ ...first, replayed: true })
  })

  it('is nowhere in the database, nor is the address', async () => {
    const { email, code } = await harness.sentCode()
    const rows =
      await harness.query(`select to_jsonb(p) as row from kyc.person p union all select to_jsonb(o) from kyc.email_otp o
      union all select to_jsonb(s) from kyc.email_otp_send s union all select to_jsonb(k) from kernel.idempotency_key k`)
    const text = JSON.stringify(rows)
    expect(text).not.toContain(email)
    expect(text).not.toContain(`"${code}"`)
  })
})

/** As many requests at once as the pool serves in time on a machine that does other things too. */
async function inParallel(limit: number, requests: readonly (() => Promise<void>)[]): Promise<void> {
  const queue = requests.values()
  const work = async (): Promise<void> => {
    for (const request of queue) await request()
  }
  await Promise.all(Array.from({ length: limit }, work))
}

describe('guessing', () => {
  it('compares five of 2,000 guesses that come as aliases, in parallel and one after the other', async () => {
    const { email, code } = await harness.sentCode()
    const guesses = Array.from({ length: 2_000 }, (_, index) => String(index * 500).padStart(6, '0')).filter(
      (guess) => guess !== code,
    )
    const [aliased, batched, single] = [guesses.slice(0, 1_000), guesses.slice(1_000, 1_800), guesses.slice(1_800)]
    const tally = new Map<unknown, number>()
    const count = (outcome: unknown): void => void tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
    const alias = async (part: readonly string[]): Promise<void> => {
      const fields = part.map(
        (guess, index) =>
          `g${index}: verifyEmailOtp(input: { email: "${email}", code: "${guess}" }) { verifiedEmail { email } errors { code } }`,
      )
      const { data } = await harness.execute({
        document: parse(`mutation { ${fields.join(' ')} }`),
        context: { requestId: 'guess', caller: { tenantId: 'tenant', keyId: 'key', products: ['kyc'] } },
      })
      const payloads = Object.values(data ?? {}) as { errors: { code: string }[] }[]
      for (const { errors } of payloads) for (const { code } of errors) count(code)
    }
    const tryOut = async (guess: string): Promise<void> => count(await verify({ email, code: guess }))
    await inParallel(50, [
      ...Array.from({ length: 50 }, (_, index) => () => alias(aliased.slice(index * 20, (index + 1) * 20))),
      ...batched.map((guess) => () => tryOut(guess)),
    ])
    for (const guess of single) await tryOut(guess)
    const outcomes = [...tally.values()].reduce((sum, times) => sum + times, 0)
    expect(outcomes).toBe(guesses.length)
    expect(tally.get('OTP_INVALID')).toBe(5)
    expect([...tally.keys()].sort()).toEqual(['OTP_INVALID', 'OTP_MAX_ATTEMPTS'])
    const [row] = await harness.query('select max(attempts) as attempts from kyc.email_otp')
    expect(row).toEqual({ attempts: 5 })
    expect(await verify({ email, code })).toBe('OTP_MAX_ATTEMPTS')
  })
})

describe('without the product', () => {
  it('answers product_disabled to everything', async () => {
    const off = { products: ['crypto', 'pix', 'credit_card'] as const }
    const email = harness.newEmail()
    const calls = [
      ['prepareKyc', { input: { email } }],
      ['sendEmailOtp', { input: { email } }],
      ['verifyEmailOtp', { input: { email, code: '000000' } }],
      ['createWalletChallenge', { input: { wallet: '0x' } }],
      ['prepareWalletKyc', { input: { message: '', signedBytes: '' } }],
      ['createKycSession', { input: { email } }],
      ['kycRecord', { email }],
    ] as const
    for (const [name, variables] of calls)
      expect((await harness.send(name, variables, off)).code).toBe('PRODUCT_DISABLED')
    expect(await harness.must('kycStanding', { email }, off)).toEqual({ state: 'NO_RECORD' })
  })
})
