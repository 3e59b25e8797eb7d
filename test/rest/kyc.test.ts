import { Keypair } from '@solana/web3.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import type { Answer } from '../harness/http.js'
import { approve, newEmail, newestCode, proveEmail } from '../harness/rest-kyc.js'
import { CREATE_TRANSACTION, type Shop } from '../harness/rest-payments.js'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'

const CREATE = '/kyc/create/verify_public_kyc'

const harness = await startHarness()
const tenant = harness.tenant

const status = (query: string, as = tenant): Promise<Answer> => harness.rest('GET', `/kyc/status?${query}`, { as })

describe('the e-mail path', () => {
  it('says of a wrong code that it was answered before, where its key comes again, and counts it once', async () => {
    const email = newEmail()
    await tenant.post('/kyc/prepare', { email })
    await tenant.post('/security/email/send-otp', { email })
    const code = (await newestCode(harness, email)) === '000000' ? '111111' : '000000'
    const headers = { 'idempotency-key': `wrong ${email}` }
    const verify = () =>
      harness.rest('POST', '/security/email/verify-otp', { as: tenant, body: { email, code }, headers })
    const [first, again] = [await verify(), await verify()]
    expect(first.body).toMatchObject({ success: false, status: 'otp_invalid' })
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.body).toMatchObject({ success: false, status: 'otp_invalid' })
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  it('leads from prepare to an approval', async () => {
    const email = newEmail()
    const prepared = await tenant.post('/kyc/prepare', { email: ` ${email.toUpperCase()} ` })
    expect(prepared.body).toEqual({
      statusCode: 201,
      success: true,
      status: 'user_prepared',
      message: expect.any(String),
      data: { email_verified: false, kyc_approved: false, kyc_status: 'pending' },
    })
    const sent = await tenant.post('/security/email/send-otp', { email })
    expect(sent.body).toMatchObject({ statusCode: 201, status: 'otp_sent', data: { expires_at: expect.any(String) } })
    const verified = await tenant.post('/security/email/verify-otp', { email, code: await newestCode(harness, email) })
    expect(verified.body).toMatchObject({ statusCode: 200, status: 'email_verified', data: { email_verified: true } })
    expect((await status(`email=${email}`)).body).toMatchObject({
      statusCode: 200,
      status: 'kyc_status_retrieved',
      data: {
        status: 'pending',
        approved: false,
        session_id: '',
        session_status: '',
        session_url: '',
        ip_info: [],
        is_blocklisted: false,
      },
    })
    const created = await tenant.post(CREATE, { email })
    expect(created.body).toMatchObject({ statusCode: 201, status: 'kyc_session_created' })
    expect(created.body.data).toEqual({
      success: true,
      message: 'kyc_session_created',
      session: {
        session_id: expect.any(String),
        session_url: expect.stringContaining(harness.kycUrl),
        session_status: 'Not Started',
      },
    })
    const resumed = await tenant.post(CREATE, { email })
    expect(resumed.body).toMatchObject({ statusCode: 201, status: 'kyc_session_created' })
    expect(resumed.body.data).toEqual({ ...created.body.data, message: 'kyc_session_resumed' })
    const { session_id: id, session_url: url } = created.body.data?.['session'] as Record<string, string>
    // The person opens the page and presses a button of it.
    expect(await (await fetch(url ?? '')).text()).toContain('Approve')
    const form = new URLSearchParams({ status: 'Approved', vpn: 'true' })
    expect((await fetch(url ?? '', { method: 'POST', body: form })).status).toBe(200)
    const approved = await until('it is approved', async () => {
      const { body } = await status(`email=${email}`)
      return body.data?.['approved'] === true && body.data
    })
    expect(approved).toEqual({
      status: 'approved',
      approved: true,
      session_id: id,
      session_status: 'Approved',
      session_url: url,
      ip_info: [
        {
          country: 'Brazil',
          country_code: 'BR',
          state: 'São Paulo',
          city: 'São Paulo',
          ip_country: 'Brazil',
          ip_state: 'São Paulo',
          ip_city: 'São Paulo',
          isp: 'Example Telecom',
          is_vpn_or_tor: true,
          is_data_center: true,
          device_brand: 'Apple',
          device_model: 'iPhone',
          browser_family: 'Mobile Safari',
          os_family: 'iOS',
          platform: 'mobile',
        },
      ],
      is_blocklisted: false,
    })
    const again = await tenant.post(CREATE, { email })
    expect(again.body).toMatchObject({ statusCode: 200, status: 'kyc_already_approved' })
    expect(again.body.data).toMatchObject({ success: true, session: { session_id: id, session_status: 'Approved' } })
    expect((await tenant.post('/kyc/prepare', { email })).body).toMatchObject({
      statusCode: 200,
      status: 'user_already_prepared',
      data: { email_verified: true, kyc_approved: true, kyc_status: 'approved' },
    })
  })
})

describe('the wallet path', () => {
  it('leads from a challenge to an approval, for an EVM wallet', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const challenge = await tenant.post('/security/wallet/challenge', { wallet: account.address.toLowerCase() })
    expect(challenge.body).toMatchObject({
      statusCode: 201,
      status: 'challenge_created',
      data: { wallet: account.address, wallet_chain: 'evm', expires_at: expect.any(String) },
    })
    const message = String(challenge.body.data?.['message'])
    const body = { message, signed_bytes: await account.signMessage({ message }) }
    expect((await tenant.post('/kyc/prepare-wallet', body)).body).toMatchObject({
      statusCode: 201,
      status: 'user_prepared',
      data: { email_verified: false, wallet_verified: true, kyc_approved: false, kyc_status: 'pending' },
    })
    await approve(harness, tenant, { wallet: account.address })
    expect((await status(`wallet=${account.address.toLowerCase()}`)).body.data).toMatchObject({ status: 'approved' })
  })

  it('leads from a challenge to an approval, for a Solana wallet', async () => {
    const keypair = Keypair.generate()
    const wallet = keypair.publicKey.toBase58()
    const challenge = await tenant.post('/security/wallet/challenge', { wallet, purpose: 'kyc' })
    expect(challenge.body.data).toMatchObject({ wallet, wallet_chain: 'solana' })
    const message = String(challenge.body.data?.['message'])
    expect(message).toContain('\nProve that this wallet is yours to verify your identity.\n')
    const signature = ed25519.sign(Buffer.from(message), keypair.secretKey.subarray(0, 32))
    const body = { message, signed_bytes: bs58.encode(signature), wallet }
    expect((await tenant.post('/kyc/prepare-wallet', body)).body).toMatchObject({
      statusCode: 201,
      status: 'user_prepared',
    })
    await approve(harness, tenant, { wallet })
    expect((await status(`wallet=${wallet}`)).body.data).toMatchObject({ approved: true })
  })
})

describe("a tenant's webhook", () => {
  it('gets kyc.updated with the view of /kyc/status, in order', async () => {
    const owner = await harness.dashboard.newTenant()
    await harness.dashboard.setWebhookUrl(owner)
    const email = await proveEmail(harness, owner)
    const id = await approve(harness, owner, { email })
    const messages = await until('both messages are there', () => {
      const mine = harness.hooks.received.filter(({ data }) => data['session_id'] === id)
      return mine.length >= 2 && mine
    })
    expect(messages.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['kyc.updated', 1],
      ['kyc.updated', 2],
    ])
    expect(messages[0]?.data).toMatchObject({ status: 'pending', session_status: 'Not Started' })
    expect(messages[1]?.data).toEqual((await status(`email=${email}`, owner)).body.data)
    expect(JSON.stringify(messages)).not.toContain(email)
    expect(harness.hooks.refused).toEqual([])
    // The deliveries are shown as they were sent, and stored sealed, as the verification itself is.
    const shown = await harness.rest('GET', '/webhook/deliveries', { as: owner })
    const bodies = (shown.body.data?.['deliveries'] as { body: unknown }[]).map(({ body }) => body)
    expect(bodies).toContainEqual(expect.objectContaining({ data: messages[1]?.data }))
    const stored = await harness.sql(`select body from accounts.webhook_delivery where tenant_id = '${owner.id}'`)
    for (const { body } of stored) expect(body).toMatch(/^v1\./)
  })
})

/** A payer whose wallet is approved, and no e-mail address. */
async function approvedPayer() {
  const payer = await harness.chain.newPayer()
  const challenge = await tenant.post('/security/wallet/challenge', { wallet: payer.address })
  const message = String(challenge.body.data?.['message'])
  await tenant.post('/kyc/prepare-wallet', { message, signed_bytes: await payer.signMessage({ message }) })
  await approve(harness, tenant, { wallet: payer.address })
  return payer
}

describe('a financial payment in fiat', () => {
  it('is let through by an approved wallet that is sent along, and by no other', async () => {
    const [payer, stranger] = [await approvedPayer(), await harness.chain.newPayer()]
    const id = await tenant.register({ payment_method_allowed: { pixcrypto: true } })
    const body = { payment_id: id, transaction_type: 'pixcrypto', payer_email: newEmail(), payer_cpf: '52998224725' }
    const pay = (more: object = {}) => tenant.post(CREATE_TRANSACTION, { ...body, ...more })
    for (const more of [{}, { payer_wallet: stranger.address }]) {
      expect((await pay(more)).body).toMatchObject({ statusCode: 403, status: 'kyc_verification_required' })
    }
    expect((await pay({ payer_wallet: payer.address })).body).toMatchObject({
      statusCode: 201,
      status: 'payment_registered',
    })
  })
})

describe('Payment.payerVerification', () => {
  it("is read across the subgraphs, by the payer's e-mail address or wallet, and by nobody else's", async () => {
    const payer = await approvedPayer()
    const paid = async (owner: Shop): Promise<unknown> => {
      const id = await owner.register()
      await owner.createTransaction(id, payer.address)
      const document = `query ($id: ID!) { payment(id: $id) { payerVerification { status approved sessionStatus } } }`
      const answer = await harness.graphql(document, { id }, { as: owner })
      expect(answer.body['errors']).toBeUndefined()
      return (answer.body.data?.['payment'] as Record<string, unknown>)['payerVerification']
    }
    expect(await paid(tenant)).toEqual({ status: 'APPROVED', approved: true, sessionStatus: 'Approved' })
    expect(await paid(await harness.dashboard.newTenant())).toBeNull()
  })

  it('and everything else is refused where the product is off', async () => {
    const without = await harness.dashboard.newTenant({ products: ['crypto', 'pix', 'credit_card'] })
    const answer = await harness.graphql('{ kycRecord(email: "ana@example.com") { status } }', {}, { as: without })
    expect(answer.body['errors']).toMatchObject([{ extensions: { code: 'PRODUCT_DISABLED' } }])
  })
})

describe('a declined person', () => {
  it('is told so, and may try again', async () => {
    const email = await proveEmail(harness, tenant)
    const { body } = await tenant.post(CREATE, { email })
    const { session_id: id } = body.data?.['session'] as Record<string, string>
    await postJson(`${harness.kycUrl}/sandbox/session/${id}/decide`, { status: 'Declined', blocklisted: true })
    const declined = await until('it is declined', async () => {
      const answer = await status(`email=${email}`)
      return answer.body.data?.['status'] === 'declined' && answer.body.data
    })
    expect(declined).toMatchObject({ approved: false, is_blocklisted: true })
    expect((await tenant.post(CREATE, { email })).body.data).toMatchObject({ message: 'kyc_session_created' })
  })
})
