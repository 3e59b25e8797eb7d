import { describe, expect, it } from 'vitest'
import { startHarness } from '../test/harness/harness.js'
import type { Answer } from '../test/harness/http.js'
import { approve, newEmail, newestCode, proveEmail } from '../test/harness/rest-kyc.js'

const harness = await startHarness()

interface Body {
  given?: { proof?: string; state?: string; url?: string }
  error?: { code: string; fields: string[] }
}
const bodyOf = ({ body }: Answer): Body => body as Body

async function pathOf(terms: Record<string, unknown> = { payment_method_allowed: { pixcrypto: true } }) {
  return harness.tenant.pagePath(await harness.tenant.register(terms))
}

const act = (path: string, name: string, body: object): Promise<Answer> =>
  harness.rest('POST', `${path}/identity-${name}`, { body })

/** The proof of a payer who has typed the code that he was sent. */
async function proofOf(path: string, email: string): Promise<string> {
  await act(path, 'code', { email })
  const { given } = bodyOf(await act(path, 'proof', { email, code: await newestCode(harness, email) }))
  if (given?.proof === undefined) throw new Error('there is no proof')
  return given.proof
}

describe('the identity of a payer', () => {
  it('is verified by the page’s session alone, up to the payment', async () => {
    const [path, email] = [await pathOf(), newEmail()]
    const proof = await proofOf(path, email)
    const session = bodyOf(await act(path, 'session', { email, proof }))
    expect(session.given).toMatchObject({ state: 'pending', url: expect.stringContaining(harness.kycUrl) })
    expect(bodyOf(await act(path, 'state', { email, proof })).given).toEqual({ state: 'pending' })
    await approve(harness, harness.tenant, { email })
    expect(bodyOf(await act(path, 'state', { email, proof })).given).toEqual({ state: 'approved' })
    const paid = await harness.rest('POST', `${path}/pix`, { body: { email, cpf: '529.982.247-25' } })
    expect(paid.status).toBe(200)
  })

  it('is told to nobody who only knows the e-mail address, though its owner has proved it', async () => {
    const email = await proveEmail(harness, harness.tenant)
    await harness.tenant.post('/kyc/create/verify_public_kyc', { email })
    const path = await pathOf()
    for (const name of ['session', 'state'])
      for (const proof of [undefined, '', 'zzzzzzzz.forged']) {
        const { status, body } = await act(path, name, { email, proof })
        expect([status, (body as Body).error?.code]).toEqual([403, 'identity_not_verified'])
      }
    const guess = bodyOf(await act(path, 'proof', { email, code: '000000' }))
    expect(guess).toMatchObject({ error: { code: 'otp_invalid' } })
    expect(guess.given).toBeUndefined()
  })

  it('is proved anew by its owner, on each link for itself', async () => {
    const email = await proveEmail(harness, harness.tenant)
    const [path, other] = [await pathOf(), await pathOf()]
    const proof = await proofOf(path, email)
    expect((await act(path, 'session', { email, proof })).status).toBe(200)
    expect((await act(other, 'session', { email, proof })).status).toBe(403)
    expect((await act(path, 'session', { email: newEmail(), proof })).status).toBe(403)
    harness.clock.advance(2 * 3_600_000 + 1)
    expect((await act(path, 'state', { email, proof })).status).toBe(403)
  })

  it('is proved by a code that takes nothing of the one that the shop has sent', async () => {
    const [path, email] = [await pathOf(), newEmail()]
    await harness.tenant.post('/kyc/prepare', { email })
    await harness.tenant.post('/security/email/send-otp', { email })
    const code = await newestCode(harness, email)
    await act(path, 'code', { email })
    for (let count = 0; count < 6; count += 1) await act(path, 'proof', { email, code: '000000' })
    const verified = await harness.tenant.post('/security/email/verify-otp', { email, code })
    expect(verified).toMatchObject({ status: 200, body: { status: 'email_verified' } })
  })

  it('is not asked for where no payment needs it', async () => {
    const order = await harness.tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
    for (const terms of [{ order_code: order }, { payment_method_allowed: { crypto: true } }]) {
      const email = newEmail()
      expect((await act(await pathOf(terms), 'code', { email })).status).toBe(403)
      await expect(newestCode(harness, email)).rejects.toThrow('no code was sent')
    }
  })

  it('sends no e-mails to strangers: one link has five addresses, and names what is wrong', async () => {
    const path = await pathOf()
    expect(bodyOf(await act(path, 'code', { email: 'nobody' })).error).toEqual({
      code: 'validation_error',
      fields: ['email'],
    })
    for (let count = 0; count < 5; count += 1) {
      harness.clock.advance(60_000)
      expect((await act(path, 'code', { email: newEmail() })).status).toBe(200)
    }
    harness.clock.advance(60_000)
    const last = newEmail()
    expect(bodyOf(await act(path, 'code', { email: last })).error?.code).toBe('otp_rate_limited')
    await expect(newestCode(harness, last)).rejects.toThrow('no code was sent')
  })

  it('is asked for so often by one link, and no more', async () => {
    const [path, email] = [await pathOf(), newEmail()]
    const answers = []
    for (let count = 0; count < 4; count += 1) answers.push((await act(path, 'code', { email })).status)
    expect(answers).toEqual([200, 200, 200, 429])
  })

  it('counts no address that is mistyped', async () => {
    const [path, email] = [await pathOf(), newEmail()]
    for (let count = 0; count < 4; count += 1) expect((await act(path, 'code', { email: 'nobody' })).status).toBe(400)
    expect((await act(path, 'code', { email })).status).toBe(200)
  })

  it('leaves no code in the database in clear', async () => {
    const [path, email] = [await pathOf(), newEmail()]
    await act(path, 'code', { email })
    const code = await newestCode(harness, email)
    await act(path, 'proof', { email, code })
    const found = await harness.sql(
      `select 1 from pg_tables t, lateral query_to_xml(format('select * from %I.%I', schemaname, tablename), true, true, '') x
       where schemaname in ('kyc', 'payments', 'kernel', 'accounts') and x::text like '%>' || $1 || '<%' limit 1`,
      [code],
    )
    expect(found).toEqual([])
  })
})
