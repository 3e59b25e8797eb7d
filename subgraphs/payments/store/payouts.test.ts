import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../kernel/database.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import type { Payout } from './payout.entity.js'

const harness = await startPaymentsHarness()
const at = harness.clock.now()

function payoutOf(tenantId: string, index: number): Payout {
  return {
    ...{ tenantId, paymentId: `${tenantId}-${String(index).padStart(3, '0')}`, splitIndex: 0, chainName: 'polygon' },
    ...{
      symbol: 'USDT',
      receiver: '0x',
      amount: '1',
      state: 'waiting',
      holdReason: null,
      waitsFor: null,
      attempt: 0,
      notBefore: at,
      hash: null,
    },
    ...{
      createdAt: new Date(at.getTime() + index),
      confirmedAt: null,
      fiatAmount: '5.42',
      convertedFiat: '5.42',
      withheld: '0',
    },
  }
}

describe('payouts that wait', () => {
  it('leave with the tenants in turns, so that the many of one keep nobody else’s waiting', async () => {
    const payouts = [
      ...Array.from({ length: 30 }, (_, index) => payoutOf('busy', index)),
      payoutOf('quiet', 40),
      payoutOf('other', 41),
    ]
    await inTransaction(harness.db, (em) => Promise.resolve(harness.deps.payouts.add(em, payouts)))
    const found = await harness.deps.payouts.findWaiting('polygon', at, 4)
    expect(found.map(({ paymentId }) => paymentId)).toEqual(['busy-000', 'quiet-040', 'other-041', 'busy-001'])
  })
})
