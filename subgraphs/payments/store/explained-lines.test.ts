import { expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { EXPLAINED } from './differences.js'

const harness = await startPaymentsHarness()

it('what people have explained is found without reading all that the deployment has paid for gas', async () => {
  await harness.query(
    `insert into payments.ledger_line (tenant_id, payment_id, entry, line, account, currency, debit, credit, created_at)
      select '-', '-', case when n <= 3 then format('explained:%s:1', n) else 'gas:' || n end, line, account, 'BRL', debit, credit, now()
      from generate_series(1, 20000) as n,
        (values (0, 'suspense:pix', 2, 0), (1, 'owner', 0, 2)) as made (line, account, debit, credit)`,
  )
  await harness.query(
    `insert into payments.difference (id, kind, subject, scope, found_at, seen_at, details)
      overriding system value values (2, 'unmatched_money', 'pix:e', 'suspense', now(), now(), '')`,
  )
  await harness.query('analyze payments.ledger_line')
  const values = ['unmatched_money', 'pix:e']
  const statement = EXPLAINED.replace('?', '$1').replace('?', '$2')
  expect(await harness.query(statement, values)).toEqual([{ amount: '2' }])
  // The three that are explained, and the other line of each.
  expect((await readsOf(harness.query, 'ledger_line', { text: statement, values })).rows).toBe(6)
})
