import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { paymentGauges } from './gauges.js'

const harness = await startPaymentsHarness()

const read = async (name: string) =>
  (
    await paymentGauges(harness.db)
      .find((gauge) => gauge.name === name)
      ?.read()
  )?.map(({ labels, value }) => [labels['chain'], value])

describe('how long payouts wait', () => {
  it('is told by chain, since they are owed or their delay is over, and not of those that a delay holds', async () => {
    await harness.query(
      `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, withheld, fiat_amount, state,
          attempt, not_before, created_at, delayed_until)
        select 'tenant', 'waits-' || id, 0, chain, 'USDT', '0x', '1', '0', '5.42', state, 0, now() + interval '10 minutes',
          now() - waited * interval '1 second', now() + delayed * interval '1 second'
        from (values (1, 'polygon', 'waiting', 600, null), (2, 'polygon', 'waiting', 300, null),
          (3, 'polygon', 'sending', 5000, null), (4, 'solana', 'waiting', 5000, -60), (5, 'base', 'waiting', 5000, 60)
        ) as row (id, chain, state, waited, delayed)`,
    )
    const told = await read('payouts_oldest_waiting_seconds')
    const rounded = told?.map(([chain, seconds]) => [chain, Math.round(Number(seconds) / 30) * 30])
    expect(rounded?.toSorted()).toEqual([
      ['polygon', 600],
      ['solana', 60],
    ])
  })
})
