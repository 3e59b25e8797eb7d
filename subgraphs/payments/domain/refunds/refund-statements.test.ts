import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../../../test/harness/count-statements.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargedPayment, payAndProcess } from '../../fixtures/pix-payments.js'
import { orderRefund } from '../../fixtures/refunds.js'

const harness = await startPaymentsHarness()

describe('ordering a refund of a paid charge', () => {
  it('takes these statements and no more', async () => {
    const { payment, txid } = await chargedPayment(harness)
    await payAndProcess(harness, txid)
    const statements = await statementsOf(harness.db.pool, () => orderRefund(harness, payment, { amount: '10' }))
    expect(statements).toEqual([
      ...['begin', 'payment_lock', 'refund_read', 'refund_order'],
      // With the history's entry and the jobs.
      ...[expect.stringMatching(/^payment_record_/), 'commit'],
    ])
  })
})
