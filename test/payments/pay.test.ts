import type { Address } from 'viem'
import { describe, expect, it } from 'vitest'
import { shareAmounts } from '../../chains/shares.js'
import { toBaseUnits } from '../../kernel/money.js'
import { CONTRACTS } from '../harness/chains.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import type { Token } from '../harness/evm-side.js'
import { CREATE_TRANSACTION, REGISTER, splitTo, transactionBody } from '../harness/rest-payments.js'
import { until } from '../harness/until.js'
import { startHarness } from '../harness/harness.js'
import { PAID_TYPES } from '../harness/webhook-receiver.js'

const harness = await startHarness()
const payer = await harness.chain.newPayer({ POL: '1000' })

const balances = (token: Token, receivers: readonly Address[]) =>
  Promise.all(receivers.map((receiver) => harness.chain.balanceOf(token, receiver)))
const typesOf = async (id: string, count: number) => (await harness.hooks.told(id, count)).map(({ type }) => type)

describe('a payment to one receiver', () => {
  it('is paid in the token itself: the receiver has exactly amount_to, and the record shows every step', async () => {
    const receiver = harness.chain.newReceiver()
    const id = await harness.tenant.register({ ...splitTo([receiver]), metadata: { cart: [1, { x: null }] } })
    const registered = await harness.tenant.statusOf(id)
    expect(registered).toEqual({
      id,
      status: 'registered',
      executor_id: 'api_transaction',
      order_code: null,
      transaction_type: null,
      payer_email: '',
      payer_wallet: '',
      payer_token_symbol: null,
      payer_cpf: null,
      tid_hash: null,
      from_currency_symbol: 'BRL',
      amount_from: '100',
      to_currency_symbol: 'USDT',
      amount_to: '',
      chain_name: '',
      from_chain: '',
      to_chain: 'polygon',
      on_ramp: false,
      split_payment_config: [
        {
          receiver_wallet: receiver,
          receiver_percent: 100,
          recipient_id: null,
          liable: null,
          charge_processing_fee: null,
        },
      ],
      unsigned_tx: null,
      signed_tx: null,
      global_payment_data: null,
      data_error: null,
      refunded_amount: '0',
      received_amount: '0',
      overpaid_amount: '0',
      late: false,
      session_payment: expect.stringMatching(/^http:\/\/localhost.*\/pay\/.+/),
      metadata: { cart: [1, { x: null }] },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: registered['created_at'],
    })

    const built = await harness.tenant.createTransaction(id, payer.address)
    expect(built).toEqual({
      family: 'evm',
      chain_name: 'polygon',
      schema_version: 1,
      meta: { source: 'evm_transfer', approval: null },
      transactionRequest: {
        from: payer.address,
        to: CONTRACTS.USDT,
        data: expect.stringMatching(/^0xa9059cbb[0-9a-f]{192}$/),
        value: '0',
        nonce: expect.any(Number),
        chainId: 31337,
        gasLimit: expect.stringMatching(/^\d+$/),
        maxFeePerGas: expect.stringMatching(/^\d+$/),
        maxPriorityFeePerGas: expect.stringMatching(/^\d+$/),
      },
    })
    const pending = await harness.tenant.statusOf(id)
    expect(pending).toMatchObject({
      status: 'pending',
      transaction_type: 'crypto',
      payer_email: 'ana@example.com',
      payer_wallet: payer.address,
      payer_token_symbol: 'USDT',
      chain_name: 'polygon',
      from_chain: 'polygon',
      // 100 BRL at 5.42, half up to six decimals.
      amount_to: '18.450185',
      unsigned_tx: {
        family: 'evm',
        chain_name: 'polygon',
        schema_version: 1,
        transactionRequest: built.transactionRequest,
      },
      signed_tx: null,
      tid_hash: null,
      data_error: null,
      global_payment_data: { message: 'Waiting for the signed transaction.' },
    })

    const raw = await signRequest(payer, built.transactionRequest)
    const answer = await harness.tenant.execute({ id, raw })
    expect(answer.body).toEqual({
      statusCode: 200,
      success: true,
      status: 'payment_confirmed',
      message: expect.any(String),
      data: { id, tid_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    expect(await balances('USDT', [receiver])).toEqual([18_450_185n])
    expect(await harness.tenant.statusOf(id)).toMatchObject({
      status: 'success',
      tid_hash: answer.body.data?.['tid_hash'],
      signed_tx: raw,
      data_error: null,
    })
    expect(await typesOf(id, 3)).toEqual(PAID_TYPES)
    const [first, second, third] = harness.hooks.of(id)
    expect(first?.data).toEqual(registered)
    expect(second?.data).toEqual(pending)
    expect(third?.data).toMatchObject({ status: 'success', tid_hash: answer.body.data?.['tid_hash'] })
    expect(harness.hooks.refused).toEqual([])
  })

  it('is paid in the native coin', async () => {
    const receiver = harness.chain.newReceiver()
    const id = await harness.tenant.register({
      ...splitTo([receiver]),
      to_currency_symbol: 'POL',
      amount_from: '10',
    })
    const signed = await harness.tenant.signTransaction(id, payer, 'POL')
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_confirmed')
    const { amount_to: amountTo } = await harness.tenant.statusOf(id)
    expect(await balances('POL', [receiver])).toEqual([toBaseUnits(String(amountTo), 18)])
  })

  it('of an order is paid like any other, on the chain of the payer where the order names none', async () => {
    const receiver = harness.chain.newReceiver()
    const order = await harness.tenant.createOrder({
      ...splitTo([receiver]),
      to_chain: undefined,
      amount_from: '54.20',
    })
    const registered = await harness.tenant.post(REGISTER, { order_code: order })
    const id = String(registered.body.data?.['payment_id'])
    const signed = await harness.tenant.signTransaction(id, payer)
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_confirmed')
    expect(await balances('USDT', [receiver])).toEqual([10_000_000n])
  })
})

describe('a payment to several receivers', () => {
  it.each([
    ['70/30', [70, 30]],
    ['thirds', [33.333333, 33.333333, 33.333334]],
    ['one that gets nothing', [99.9, 0.1, 0]],
  ] as const)('%s: each has exactly its share, and the payment succeeds by itself', async (_name, percents) => {
    const receivers = percents.map(() => harness.chain.newReceiver())
    const signed = await harness.tenant.signedPayment(payer, splitTo(receivers, percents))
    expect(signed.built.meta).toEqual({ source: 'evm_split', approval: null })
    const answer = await harness.tenant.execute(signed)
    expect(answer.body.status).toBe('payment_received')
    const payment = await harness.tenant.untilStatus(signed.id, 'success')
    expect(payment['tid_hash']).toBe(answer.body.data?.['tid_hash'])
    const texts = percents.map(String)
    const paid = await balances('USDT', receivers)
    expect(paid).toEqual(shareAmounts(toBaseUnits(String(payment['amount_to']), 6), texts))
    expect(paid.reduce((sum, share) => sum + share, 0n)).toBe(18_450_185n)
    expect(await typesOf(signed.id, 3)).toEqual(PAID_TYPES)
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_confirmed')
  })

  it('is split in the native coin too', async () => {
    const receivers = [harness.chain.newReceiver(), harness.chain.newReceiver()]
    const id = await harness.tenant.register({
      ...splitTo(receivers, [70, 30]),
      to_currency_symbol: 'POL',
      amount_from: '10',
    })
    const signed = await harness.tenant.signTransaction(id, payer, 'POL')
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_received')
    const payment = await harness.tenant.untilStatus(id, 'success')
    expect(await balances('POL', receivers)).toEqual(
      shareAmounts(toBaseUnits(String(payment['amount_to']), 18), ['70', '30']),
    )
  })
})

describe('a payment one of whose receivers takes no coin', () => {
  it('pays the others at once, and stays pending', async () => {
    const [refusing, other] = [harness.chain.newReceiver(), harness.chain.newReceiver()]
    await harness.chain.client.setCode({ address: refusing, bytecode: '0x5f5ffd' })
    const terms = { ...splitTo([refusing, other], [70, 30]), to_currency_symbol: 'POL', amount_from: '10' }
    const id = await harness.tenant.register(terms)
    const signed = await harness.tenant.signTransaction(id, payer, 'POL')
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_received')
    await until('the other is paid', async () => (await harness.chain.balanceOf('POL', other)) > 0n)
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'pending' })
  })
})

describe('a payment whose receivers get very little', () => {
  it('is refused before the payer signs, as sharing it out costs more', async () => {
    const receivers = Array.from({ length: 50 }, () => harness.chain.newReceiver())
    const terms = { ...splitTo(receivers, Array<number>(50).fill(2)), amount_from: '0.50' }
    const id = await harness.tenant.register(terms)
    const body = transactionBody(id, payer.address)
    const answer = await harness.tenant.post(CREATE_TRANSACTION, body)
    expect(answer.body).toMatchObject({
      statusCode: 400,
      status: 'validation_error',
      errors: [{ field: 'payment_id' }],
    })
    expect(await harness.tenant.statusOf(id)).toMatchObject({ status: 'registered', amount_to: '' })
  })
})

describe('a payment in another token than the receivers get', () => {
  it.each([
    ['one receiver', [100]],
    ['two receivers', [70, 30]],
  ] as const)('goes through the router, after an approval: %s', async (_name, percents) => {
    const receivers = percents.map(() => harness.chain.newReceiver())
    const id = await harness.tenant.register(splitTo(receivers, percents))
    const built = await harness.tenant.createTransaction(id, payer.address, 'USDC')
    const { approval, source } = built.meta
    expect([source, approval?.token, approval?.spender]).toEqual(['router', CONTRACTS.USDC, CONTRACTS.router])
    if (!approval) throw new Error('an approval is needed')
    await harness.chain.approve(payer, approval)
    // The approval took the nonce that was built, so a wallet signs with the next one.
    const nonce = built.transactionRequest.nonce + 1
    const raw = await signRequest(payer, built.transactionRequest, { nonce })
    const answer = await harness.tenant.execute({ id, raw })
    expect(answer.body.status).toBe(percents.length === 1 ? 'payment_confirmed' : 'payment_received')
    await harness.tenant.untilStatus(id, 'success')
    expect(await balances('USDT', receivers)).toEqual(shareAmounts(18_450_185n, percents.map(String)))
  })

  it('fails without the approval, and can be tried again', async () => {
    const receiver = harness.chain.newReceiver()
    const stranger = await harness.chain.newPayer()
    const id = await harness.tenant.register(splitTo([receiver]))
    const signed = await harness.tenant.signTransaction(id, stranger, 'USDC')
    const failed = await harness.tenant.execute(signed)
    expect(failed.body).toMatchObject({ statusCode: 500, status: 'payment_failed' })
    expect(await harness.tenant.statusOf(id)).toMatchObject({
      status: 'error',
      data_error: { code: 'transaction_reverted', status: 'error', message: expect.any(String), details: null },
    })
    expect((await harness.tenant.execute(signed)).body.status).toBe('payment_failed')

    const again = await harness.tenant.signTransaction(id, stranger)
    expect((await harness.tenant.execute(again)).body.status).toBe('payment_confirmed')
    expect(await balances('USDT', [receiver])).toEqual([18_450_185n])
    const types = ['registered', 'pending', 'error', 'pending', 'success'].map((status) => `payment.${status}`)
    expect(await typesOf(id, 5)).toEqual(types)
  })
})
