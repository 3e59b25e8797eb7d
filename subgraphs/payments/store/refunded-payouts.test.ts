import { expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { alertJob } from '../settlement/alert-job.js'
import { REFUNDED_PAYOUT } from './refunded-payouts.js'

const harness = await startPaymentsHarness()

it('a payout that was refunded whole is found among those of its receiver alone', async () => {
  const { id } = await checkoutPayment(harness)
  await harness.query(
    `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, withheld, state, attempt,
        not_before, created_at)
      select $1, $2, n, 'polygon', 'USDT', case when n <= 3 then '0xAbC' else '0x' || md5(n::text) end, '0', n::text,
        case when n % 2 = 0 and n > 3 then 'confirmed' else 'cancelled' end, 1, now(), now()
      from generate_series(1, 20000) as n`,
    [harness.tenant.id, id],
  )
  await harness.query('analyze payments.payout')
  const at = new Date(harness.clock.now().getTime() + 60_000).toISOString()
  const values = ['polygon', '0xaBc', 'USDT', '2', at, at, 'polygon:0xdef:0']
  let place = 0
  const text = REFUNDED_PAYOUT.replaceAll('?', () => `$${(place += 1)}`)
  expect(await harness.query(text, values)).toEqual([{ tenantId: harness.tenant.id, paymentId: id, splitIndex: 2 }])
  expect((await readsOf(harness.query, 'payout', { text, values })).rows).toBe(3)
})

it('a payout that was refunded whole explains one transfer, also where two comparisons find it at once', async () => {
  const { differences, ledger } = harness.deps
  const refundedPayout = { tenantId: harness.tenant.id, paymentId: 'cpaid', splitIndex: 0 }
  const report = (hash: string) =>
    ledger.transaction((em) => {
      const found = {
        kind: 'paid_twice',
        scope: 'chain:polygon',
        actual: '-1',
        currency: 'USDT',
        refundedPayout,
      } as const
      return differences.report(em, { ...found, subject: `polygon:${hash}:0` }, (subject) =>
        alertJob({ kind: 'books_differ', subject }),
      )
    })
  const reported = await Promise.allSettled([report('0x1'), report('0x2')])
  expect(reported.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const rows = await harness.query(
    'select count(*)::int as count from payments.difference where refunded_payout is not null',
  )
  expect(rows).toEqual([{ count: 1 }])
})
