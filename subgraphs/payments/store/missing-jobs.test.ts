import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { readsOf } from '../../../test/harness/reads-of.js'
import { settleSplitJob } from '../domain/transfers/transfer-jobs.js'
import { chargedPayment } from '../fixtures/pix-payments.js'
import { settleChainJob } from '../settlement/settlement-jobs.js'
import { FIND, FIND_SETTLEMENTS } from './missing-jobs.js'

const CHARGES = 400
const OTHER_JOBS = 20_000
const EVENTS = 5_000

const harness = await startPaymentsHarness()
const { payment } = await chargedPayment(harness)
// As many open charges, each with its job, but for three; and jobs of the same kind that have nothing to do with them.
await harness.query(
  `insert into payments.charge select (jsonb_populate_record(charge, jsonb_build_object('id', 'charge' || n,
      'reference', 'reference' || n, 'attempt', n + 1))).*
    from payments.charge, generate_series(1, $1::int) as n where payment_id = $2`,
  [CHARGES - 1, payment.id],
)
await harness.query(
  `select graphile_worker.add_jobs(array(select row('watch-charge', json_build_object('chargeId', 'charge' || n)::json,
      null, now() + interval '1 day', 25::smallint, case when n < $1 then 'watch-charge:charge' || n else 'other:' || n end,
      0::smallint, null)::graphile_worker.job_spec from generate_series(4, $2::int) as n))`,
  [CHARGES, OTHER_JOBS + CHARGES],
)
await harness.query('analyze payments.charge')
await harness.query('analyze graphile_worker._private_jobs')

const before = () => new Date(harness.clock.now().getTime() + 60_000).toISOString()

describe('the search for open work without a job', () => {
  it('finds what has none, among many that have', async () => {
    const lost = await harness.deps.missingJobs.find(new Date(before()), 100)
    expect(lost.map(({ key }) => key).sort()).toEqual([1, 2, 3].map((n) => `watch-charge:charge${n}`))
  })

  it('finds what has only a job that has used up its tries, and not what has one that runs', async () => {
    await harness.query(`update graphile_worker._private_jobs set attempts = max_attempts,
      locked_at = case when key = 'watch-charge:charge11' then now() end
      where key in ('watch-charge:charge10', 'watch-charge:charge11')`)
    const lost = await harness.deps.missingJobs.find(new Date(before()), 100)
    const keys = lost.map(({ key }) => key)
    expect(keys).toContain('watch-charge:charge10')
    expect(keys).not.toContain('watch-charge:charge11')
  })

  it('finds what a provider has told of in the last 30 days and nobody looked into, and reads nothing else', async () => {
    await harness.query(
      `insert into payments.provider_event (provider, event_key, sealed_content, received_at, processed_at)
        select 'pix', 'event' || n, '', $1::timestamptz - case when n = 4 then interval '31 days' else n * interval '1 hour' end,
          case when n > 4 then $1::timestamptz end
        from generate_series(1, $2::int) as n`,
      [harness.clock.now(), EVENTS],
    )
    await harness.query('analyze payments.provider_event')
    await harness.query(
      `select graphile_worker.add_job('process-provider-event', '{}', job_key => 'process-provider-event:pix:event2')`,
    )
    const lost = await harness.deps.missingJobs.find(new Date(before()), 100)
    const jobOf = (eventKey: string) => ({
      name: 'process-provider-event',
      payload: { provider: 'pix', eventKey },
      key: `process-provider-event:pix:${eventKey}`,
    })
    expect(lost.filter(({ name }) => name === 'process-provider-event')).toEqual([jobOf('event1'), jobOf('event3')])
    const { kinds, rows } = await readsOf(harness.query, 'provider_event', { text: FIND.text, values: [before(), 100] })
    expect(kinds).not.toContain('Seq Scan')
    expect(rows).toBeLessThanOrEqual(4)
  })

  it('finds each payment that one transaction has paid, but for those whose own job is there', async () => {
    const hash = `0x${'11'.repeat(32)}`
    await harness.query(
      `insert into payments.payment select (jsonb_populate_record(payment, jsonb_build_object('id', 'together' || n,
          'status', 'pending', 'charge_id', null, 'tid_hash', $2::text))).*
        from payments.payment, generate_series(1, 3) as n where id = $1`,
      [payment.id, hash],
    )
    const lost = async () => {
      const found = await harness.deps.missingJobs.findSettlements(new Date(before()), 100)
      return found.map(({ paymentId }) => paymentId).sort()
    }
    expect(await lost()).toEqual(['together1', 'together2', 'together3'])
    for (const paymentId of ['together1', 'together3']) {
      await harness.deps.addJobNow(settleSplitJob({ tenantId: payment.tenantId, paymentId, hash }))
    }
    expect(await lost()).toEqual(['together2'])
    // A job of the version before says nothing of the payment in its key: nothing is added beside it until it has run.
    await harness.deps.addJobNow({ name: 'settle-split', payload: {}, key: `settle-split:${hash}` })
    expect(await lost()).toEqual([])
  })

  it.each([FIND, FIND_SETTLEMENTS])(
    'reads no more jobs than there is open work, by their keys: $name',
    async (found) => {
      const { kinds, rows } = await readsOf(harness.query, '_private_jobs', {
        text: found.text,
        values: [before(), 100],
      })
      expect(kinds).not.toContain('Seq Scan')
      expect(rows).toBeLessThanOrEqual(CHARGES)
    },
  )

  it.each(['', ':0', ':7', ':again'])(
    "takes a chain's payouts for planned by a run whose key ends in '%s'",
    async (suffix) => {
      const chain = `chain${suffix}`
      await harness.query(
        `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, state, attempt, not_before, created_at)
        values ('tenant', $1, 0, $1, 'USDT', '0x', '1', 'waiting', 0, $2, $2)`,
        [chain, harness.clock.now()],
      )
      const settlesOf = async () =>
        (await harness.deps.missingJobs.find(new Date(before()), 100)).filter(
          ({ key }) => key === `settle-chain:${chain}`,
        )
      expect(await settlesOf()).toHaveLength(1)
      const runAt = new Date(harness.clock.now().getTime() + 3_600_000)
      await harness.deps.addJobNow({ ...settleChainJob(chain, runAt), key: `settle-chain:${chain}${suffix}` })
      expect(await settlesOf()).toEqual([])
    },
  )
})
