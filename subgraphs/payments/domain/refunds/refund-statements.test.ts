import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../../../test/harness/count-statements.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { paidPayment } from '../../fixtures/pix-payments.js'
import { orderRefund } from '../../fixtures/refunds.js'
import type { RefundJob } from './refund-jobs.js'
import { sendRefund } from './send-refund.js'

const harness = await startPaymentsHarness()

describe('ordering a refund of a paid charge', () => {
  it('takes these statements and no more', async () => {
    const { payment } = await paidPayment(harness)
    const statements = await statementsOf(harness.db.pool, () => orderRefund(harness, payment, { amount: '10' }))
    expect(statements).toEqual([
      ...['begin', 'payment_lock', 'refund_read', 'refund_order'],
      // With the history's entry and the jobs.
      ...[expect.stringMatching(/^payment_record_/), 'commit'],
    ])
  })
})

describe('asking the provider for a refund', () => {
  it('takes these statements and no more', async () => {
    const { payment } = await paidPayment(harness)
    const { id } = await orderRefund(harness, payment, { amount: '10' })
    const [row] = await harness.query(
      `select payload from graphile_worker._private_jobs where payload ->> 'returnId' = $1`,
      [id],
    )
    const statements = await statementsOf(harness.db.pool, () =>
      sendRefund(harness.deps, row?.['payload'] as RefundJob),
    )
    expect(statements).toEqual([
      ...['charge_record_by_receipt', 'refund_mark_sent', 'payment_find'],
      // What the provider shows then.
      ...['begin', 'payment_lock', 'charge_records', 'update payments.receipt_return set', 'payout_lock'],
      ...[expect.stringMatching(/^payment_record_/), 'commit'],
      ...['charge_record_by_receipt', 'job_add'],
    ])
  })
})
