import { describe, expect, it } from 'vitest'
import { newEmail } from '../harness/rest-kyc.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()

describe('an empty text on a path of identity verification', () => {
  it.each([
    ['/kyc/prepare', { email: '' }],
    ['/kyc/prepare', { email: '  ' }],
    ['/security/email/send-otp', { email: '' }],
    ['/security/email/verify-otp', { email: '', code: '' }],
    ['/security/email/verify-otp', { email: 'ana@example.com', code: '' }],
    ['/security/wallet/challenge', { wallet: '' }],
    ['/kyc/prepare-wallet', { message: '', signed_bytes: '' }],
    ['/kyc/prepare-wallet', { message: 'x', signed_bytes: '', email: '' }],
    ['/kyc/create/verify_public_kyc', { email: '', wallet: '' }],
  ])('counts as absent: %s %j', async (path, body) => {
    const answer = await harness.tenant.post(path, body)
    expect([answer.status, answer.body.status]).toEqual([400, 'missing_params'])
  })

  it.each(['email=', 'wallet=', 'email=&wallet=', 'email=%20'])('counts as absent: /kyc/status?%s', async (query) => {
    const answer = await harness.tenant.get(`/kyc/status?${query}`)
    expect([answer.status, answer.body.status]).toEqual([400, 'missing_params'])
  })

  it('does not stand in the way of the field that is there', async () => {
    const email = newEmail()
    const prepared = await harness.tenant.post('/kyc/prepare', { email, wallet: '' })
    expect(prepared.status).toBe(201)
    const answer = await harness.tenant.get(`/kyc/status?email=${email}&wallet=`)
    expect(answer.status).toBe(200)
  })
})
