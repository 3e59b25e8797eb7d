import { parseUnits } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { postJson } from '../harness/control.js'
import { CONTRACTS } from '../harness/chains.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { CREATE_TRANSACTION, EXECUTE, transactionBody } from '../harness/rest-payments.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const payer = await harness.chain.newPayer()

const sends = () => harness.rpc.calls.filter(({ method }) => method === 'eth_sendRawTransaction').length
const post = (body: unknown) => harness.tenant.post(EXECUTE, body)

describe('a signed transaction that is not what was built', () => {
  it.each([
    ['another amount in the data', { data: '0xa9059cbb' }],
    ['another target', { to: CONTRACTS.USDC }],
    ['a value', { value: 1n }],
    ['an access list', { accessList: [{ address: CONTRACTS.USDT, storageKeys: [] }] }],
    ['an absurd fee', { maxFeePerGas: 10n ** 18n, maxPriorityFeePerGas: 1n }],
  ])('is refused for %s, and the payment waits for another', async (_what, changes) => {
    const { id, built } = await harness.tenant.signedPayment(payer)
    const before = sends()
    const answer = await harness.tenant.execute({
      id,
      raw: await signRequest(payer, built.transactionRequest, changes),
    })
    expect(answer.body).toMatchObject({ statusCode: 400, status: 'invalid_signed_transaction' })
    expect(await harness.tenant.statusOf(id)).toMatchObject({
      status: 'pending',
      signed_tx: null,
      tid_hash: null,
    })
    expect(sends()).toBe(before)
  })

  it('is refused where it is the transaction of another payment', async () => {
    const one = await harness.tenant.signedPayment(payer)
    const other = await harness.tenant.signedPayment(payer)
    expect((await harness.tenant.execute({ id: one.id, raw: other.raw })).body.status).toBe(
      'invalid_signed_transaction',
    )
  })

  it('is refused where it was replaced by a transaction that was built since', async () => {
    const { id, raw } = await harness.tenant.signedPayment(payer)
    await postJson(`${harness.priceUrl}/sandbox/price`, { symbol: 'USDTBRL', price: '5.50' })
    harness.clock.advance(60_000)
    await harness.tenant.createTransaction(id, payer.address)
    expect((await harness.tenant.execute({ id, raw })).body.status).toBe('invalid_signed_transaction')
  })

  it.each(['', '0x', '0x00', 'nonsense', `0x${'ff'.repeat(200_000)}`.slice(0, 250_000), 7, null, {}, ['0x00']])(
    'is invalid_parameters where it cannot be read: %#',
    async (signed) => {
      const { id } = await harness.tenant.signedPayment(payer)
      const answer = await post({ payment_id: id, signed_transaction: signed })
      expect([answer.status, answer.body.status]).toEqual([400, 'invalid_parameters'])
    },
  )
})

describe('a payer who cannot pay', () => {
  const create = async (from: PrivateKeyAccount, token: 'USDT' | 'USDC' = 'USDT') =>
    harness.tenant.post(CREATE_TRANSACTION, transactionBody(await harness.tenant.register(), from.address, token))

  it('is told before anything is built, and the payment stays as it was', async () => {
    const poor = await harness.chain.newPayer({ USDT: '1' })
    const id = await harness.tenant.register()
    const answer = await harness.tenant.post(CREATE_TRANSACTION, transactionBody(id, poor.address))
    expect(answer.body).toMatchObject({
      statusCode: 400,
      status: 'validation_error',
      errors: [{ field: 'payer_wallet', message: 'has an insufficient USDT balance' }],
    })
    expect(await harness.tenant.statusOf(id)).toMatchObject({
      status: 'registered',
      unsigned_tx: null,
      payer_wallet: '',
    })
  })

  it('is told where it is the gas that is missing', async () => {
    const answer = await create(await harness.chain.newPayer({ POL: '0' }))
    expect(answer.body.errors).toEqual([{ field: 'payer_wallet', message: 'has an insufficient POL balance for gas' }])
  })

  it('who has spent it meanwhile gets the chain’s refusal, and may sign again once the money is there', async () => {
    const poor = await harness.chain.newPayer()
    const signed = await harness.tenant.signedPayment(poor)
    await harness.chain.client.setBalance({ address: poor.address, value: 1n })
    const refused = await harness.tenant.execute(signed)
    expect(refused.body).toMatchObject({
      statusCode: 502,
      status: 'broadcast_rejected',
      details: expect.stringMatching(/fund/i),
    })
    expect(await harness.tenant.statusOf(signed.id)).toMatchObject({ status: 'pending', signed_tx: null })
    await harness.chain.client.setBalance({ address: poor.address, value: parseUnits('10', 18) })
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_confirmed')
  })
})

describe('a nonce that was used meanwhile', () => {
  it('asks for a new transaction, which can be paid', async () => {
    const busy = await harness.chain.newPayer()
    const signed = await harness.tenant.signedPayment(busy)
    await harness.chain.approve(busy, { token: CONTRACTS.USDC, spender: payer.address, amount: '1' })
    const stale = await harness.tenant.execute(signed)
    expect(stale.body).toMatchObject({ statusCode: 400, status: 'stale_transaction_nonce' })
    const again = await harness.tenant.signTransaction(signed.id, busy)
    expect((await harness.tenant.execute(again)).body.status).toBe('payment_confirmed')
  })
})

describe('a quote', () => {
  it('holds for 15 minutes; after that the transaction has to be built again', async () => {
    const { id, raw } = await harness.tenant.signedPayment(payer)
    harness.clock.advance(15 * 60_000)
    const late = await harness.tenant.execute({ id, raw })
    expect(late.body).toMatchObject({ statusCode: 409, status: 'invalid_payment_status' })
    expect(harness.rpc.sendsOf(raw)).toBe(0)
    const built = await harness.tenant.createTransaction(id, payer.address)
    const again = await signRequest(payer, built.transactionRequest)
    expect((await harness.tenant.execute({ id, raw: again })).body.status).toBe('payment_confirmed')
  })
})

describe('while the chain cannot be reached', () => {
  it('nothing is built', async () => {
    const id = await harness.tenant.register()
    harness.rpc.onCall = () => 'cut'
    const answer = await harness.tenant.post(CREATE_TRANSACTION, transactionBody(id, payer.address))
    harness.rpc.onCall = () => 'pass'
    expect(answer.body).toMatchObject({ statusCode: 502, status: 'provider_unavailable' })
    expect(answer.text).not.toContain(harness.rpc.url)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'registered' })
  })

  it('a relay fails with confirm_rpc_unavailable, and is finished by itself when the chain is back', async () => {
    const sender = await harness.chain.newPayer()
    const signed = await harness.tenant.signedPayment(sender)
    harness.rpc.onCall = () => 'cut'
    const answer = await harness.tenant.execute(signed)
    expect(answer.body).toMatchObject({ statusCode: 502, status: 'confirm_rpc_unavailable' })
    expect(await harness.tenant.statusOf(signed.id)).toMatchObject({
      status: 'pending',
      signed_tx: signed.raw,
    })
    harness.rpc.onCall = () => 'pass'
    await expect
      .poll(async () => (await harness.tenant.statusOf(signed.id))['status'], { timeout: 15_000 })
      .toBe('success')
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
  })

  it('an answer to the send that is lost does not make it a second send', async () => {
    const sender = await harness.chain.newPayer()
    const signed = await harness.tenant.signedPayment(sender)
    harness.rpc.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? 'drop-answer' : 'pass')
    const answer = await harness.tenant.execute(signed)
    harness.rpc.onCall = () => 'pass'
    expect(answer.body.status).toBe('payment_confirmed')
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
  })
})
