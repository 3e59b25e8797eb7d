import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../kernel/database.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import type { Payout } from './payout.entity.js'
import { FIND_WAITING, NEXT_WAITING } from './payouts.js'

const harness = await startPaymentsHarness()
const at = harness.clock.now()
const MANY = 9_000

function payoutOf(tenantId: string, index: number): Payout {
  return {
    ...{ tenantId, paymentId: `${tenantId}-${String(index).padStart(3, '0')}`, splitIndex: 0, chainName: 'polygon' },
    ...{
      symbol: 'USDT',
      receiver: '0x',
      amount: '1',
      state: 'waiting',
      holdReason: null,
      delayedUntil: null,
      coinsHeldAt: null,
      waitsFor: null,
      attempt: 0,
      failedTries: 0,
      revertedTries: 0,
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

  it('are found without reading all that wait, and without those that are not due yet or paused', async () => {
    await harness.query(
      `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, withheld, fiat_amount, state,
          attempt, not_before, created_at)
        select 'many' || n % 3, 'many-' || n, 0, 'solana', 'USDT', '0x', '1', '0', '5.42', 'waiting', 0,
          $1::timestamptz + (n % 2) * interval '1 day', $1::timestamptz from generate_series(1, $2::int) as n`,
      [at, MANY],
    )
    await harness.query('analyze payments.payout')
    await harness.deps.pauses.pause({ tenantId: 'many0' }, 'looked into')
    const found = await harness.deps.payouts.findWaiting('solana', at, 4)
    expect(found.map(({ tenantId }) => tenantId)).toEqual(['many1', 'many2', 'many1', 'many2'])
    expect(await harness.deps.payouts.nextWaitingAt('solana')).toEqual(at)
    expect(await rowsRead(FIND_WAITING.text, ['solana', at, 4, []])).toBeLessThan(40)
    expect(await rowsRead(NEXT_WAITING.text, ['solana'])).toBeLessThan(40)
  })

  it('are put off together by one statement, but for those that do not wait any more', async () => {
    const [waits, held] = [payoutOf('together', 60), { ...payoutOf('together', 61), state: 'held' as const }]
    await inTransaction(harness.db, (em) => Promise.resolve(harness.deps.payouts.add(em, [waits, held])))
    const notBefore = new Date(at.getTime() + 60_000)
    await harness.deps.payouts.reschedule([waits, held], { notBefore, waitsFor: 'funds' })
    const found = await Promise.all(
      [waits, held].map(({ paymentId: id }) => harness.deps.payouts.findAll({ tenantId: 'together', id })),
    )
    expect(found.flat()).toMatchObject([
      { state: 'waiting', notBefore, waitsFor: 'funds' },
      { state: 'held', notBefore: held.notBefore, waitsFor: null },
    ])
  })

  it('are put off with a count of the tries that would have failed, whatever they wait for in between', async () => {
    const tried = payoutOf('tried', 50)
    await inTransaction(harness.db, (em) => Promise.resolve(harness.deps.payouts.add(em, [tried])))
    const present = async () => {
      const [payout] = await harness.deps.payouts.findAll({ tenantId: 'tried', id: tried.paymentId })
      if (!payout) throw new Error('there is no payout')
      return payout
    }
    const { payouts } = harness.deps
    for (const hasFailed of [true, false, true])
      await payouts.reschedule([await present()], {
        notBefore: at,
        waitsFor: hasFailed ? 'another_try' : 'funds',
        hasFailed,
      })
    expect(await present()).toMatchObject({ failedTries: 2, attempt: 0, waitsFor: 'another_try' })
    // Its token is not on the list: that is no try.
    await payouts.reschedule([await present()], { notBefore: at, waitsFor: 'another_try' })
    expect(await present()).toMatchObject({ failedTries: 2 })
  })
})

/** How many rows of payouts a statement reads. */
async function rowsRead(text: string, values: unknown[]): Promise<number> {
  return (await readsOf(harness.query, 'payout', { text, values })).rows
}
