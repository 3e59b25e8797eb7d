import { describe, expect, it } from 'vitest'
import { createTransaction } from '../domain/create-transaction.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'

const ENTRIES = 5_000

const harness = await startPaymentsHarness()
const payment = await checkoutPayment(harness)
await harness.query(
  `insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
    select $1, $2, n, 'payment.pending', 'transaction_created', jsonb_build_object('status', 'pending', 'amountTo', n::text,
      'quoteId', null) || case when n = 7 then '{"tidHash": "seven"}'::jsonb else '{}'::jsonb end, n = 9,
      $3::timestamptz + n * interval '1 second'
    from generate_series(2, $4::int) as n`,
  [harness.tenant.id, payment.id, payment.createdAt.toISOString(), ENTRIES],
)
await harness.query('update payments.payment set sequence = $2, status = $3 where id = $1', [
  payment.id,
  ENTRIES,
  'pending',
])

describe('a payment with a long history', () => {
  it('is shown as it was after each entry: the newest value of each column up to there', async () => {
    const at = (sequence: number) => harness.deps.payments.findAt(harness.tenant.id, payment.id, sequence)
    expect(await at(1)).toEqual({ ...payment, sequence: 1 })
    expect(await at(6)).toMatchObject({ status: 'pending', amountTo: '6', tidHash: null, sequence: 6 })
    expect(await at(4_000)).toMatchObject({ amountTo: '4000', tidHash: 'seven', quoteId: null, sequence: 4_000 })
    expect((await at(60))?.updatedAt).toEqual(new Date(payment.createdAt.getTime() + 60_000))
  })

  it('gives it out in pages of 20, and of at most 100', async () => {
    const ask = (page: string) =>
      harness.graphql(`query ($id: ID!) { payment(id: $id) { history${page} { sequence } } }`, { id: payment.id })
    const sequences = async (page: string) =>
      ((await ask(page)).data as { payment: { history: { sequence: number }[] } }).payment.history.map(
        ({ sequence }) => sequence,
      )
    const counted = (length: number) => Array.from({ length }, (_, index) => index + 1)
    expect(await sequences('')).toEqual(counted(20))
    expect(await sequences('(first: 100)')).toEqual(counted(100))
    expect(await sequences(`(first: 2, after: ${ENTRIES - 1})`)).toEqual([ENTRIES])
    for (const first of [0, 101]) {
      expect((await ask(`(first: ${first})`)).errors).toMatchObject([{ extensions: { code: 'VALIDATION_ERROR' } }])
    }
  })

  it('takes no further transaction', async () => {
    const input = {
      paymentId: payment.id,
      transactionType: 'crypto' as const,
      payerEmail: 'ana@example.com',
      payerWallet: '0x3333333333333333333333333333333333333333',
      payerTokenSymbol: 'USDT',
      chainName: 'polygon',
    }
    await harness.query(`update payments.payment set transaction_type = 'crypto' where id = $1`, [payment.id])
    await expect(createTransaction(harness.deps, harness.tenant, input)).rejects.toMatchObject({
      code: 'payment_already_processed',
      message: expect.stringContaining('too many transactions') as string,
    })
  })
})
