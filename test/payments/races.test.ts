import { describe, expect, it } from 'vitest'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { startHarness } from '../harness/harness.js'
import { splitTo } from '../harness/rest-payments.js'

const harness = await startHarness()

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('many at the same moment', () => {
  it('50 times the same signed transaction: one relay, one payment, 50 equal answers', async () => {
    const receiver = harness.chain.newReceiver()
    const signed = await harness.tenant.signedPayment(await harness.chain.newPayer(), splitTo([receiver]))
    const answers = await times(50, () => harness.tenant.execute(signed))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.status).toBe('payment_confirmed')
    expect(harness.rpc.sendsOf(signed.raw)).toBe(1)
    expect(await harness.chain.balanceOf('USDT', receiver)).toBe(18_450_185n)
    const events = await harness.sql(
      'select type from payments.payment_event where payment_id = $1 order by sequence',
      [signed.id],
    )
    expect(events.map(({ type }) => type).filter((type) => type === 'payment.success')).toHaveLength(1)
  })

  it('30 different payments: all are relayed, though each holds a lock and needs more connections than that', async () => {
    const payments = await times(30, async () => harness.tenant.signedPayment(await harness.chain.newPayer()))
    const answers = await Promise.all(payments.map((signed) => harness.tenant.execute(signed)))
    expect(answers.map(({ body }) => body.status)).toEqual(Array<string>(30).fill('payment_confirmed'))
  })

  it('two signatures of the same payment: one is relayed, the other refused', async () => {
    const payer = await harness.chain.newPayer()
    const { id, built, raw } = await harness.tenant.signedPayment(payer)
    const other = await signRequest(payer, built.transactionRequest, { gas: 100_000n })
    const answers = await Promise.all([raw, other].map((signed) => harness.tenant.execute({ id, raw: signed })))
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['invalid_payment_status', 'payment_confirmed'])
    expect(harness.rpc.sendsOf(raw) + harness.rpc.sendsOf(other)).toBe(1)
  })

  it('20 transactions created for one payment: the last one counts, and it can be paid', async () => {
    const payer = await harness.chain.newPayer()
    const id = await harness.tenant.register()
    await times(20, () => harness.tenant.createTransaction(id, payer.address))
    const { unsigned_tx: unsigned } = await harness.tenant.statusOf(id)
    const request = (unsigned as { transactionRequest: Parameters<typeof signRequest>[1] }).transactionRequest
    const raw = await signRequest(payer, request)
    expect((await harness.tenant.execute({ id, raw })).body.status).toBe('payment_confirmed')
  })
})
