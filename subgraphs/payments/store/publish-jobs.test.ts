import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import type { RecordedChange } from './payment-changes.js'
import type { Payment } from './payment.entity.js'

const harness = await startPaymentsHarness()

const ADDRESSED = { publicClientId: 'pk_shop', webhookUrl: 'https://shop.example/hook' }
const TOLD: RecordedChange = { change: { amountTo: '18' }, cause: 'transaction_created', notify: true }

/** Changes payments in one transaction. @returns the jobs that it has added */
async function jobsOf(changes: ReadonlyMap<Payment, RecordedChange>): Promise<Record<string, unknown>[]> {
  await harness.query('delete from graphile_worker._private_jobs')
  const byId = new Map([...changes].map(([{ id }, change]) => [id, change]))
  await harness.deps.payments.changeMany([...changes.keys()], (locked) =>
    Promise.resolve(new Map(locked.map((payment) => [payment, byId.get(payment.id)]))),
  )
  return harness.query(
    `select task.identifier as name, job.payload from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id order by job.id`,
  )
}

const eventOf = ({ tenantId, id: resourceId }: Payment) => {
  return { tenantId, source: 'payments', resourceId, sequence: 2 }
}
/** In the order in which payments are locked. */
const eventsOf = (payments: readonly Payment[]) =>
  payments.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((payment) => eventOf(payment))

describe('payments that change together', () => {
  it('share a job that tells of those without an address; each of the others has its own', async () => {
    const [first, last] = [await checkoutPayment(harness), await checkoutPayment(harness)]
    const addressed = await checkoutPayment(harness, ADDRESSED)
    // Changes of different columns are recorded by statements of their own.
    const other: RecordedChange = { ...TOLD, change: { receivedAmount: '18' } }
    expect(
      await jobsOf(
        new Map([
          [first, TOLD],
          [addressed, TOLD],
          [last, other],
        ]),
      ),
    ).toEqual([
      { name: 'publish-event', payload: eventOf(addressed) },
      { name: 'publish-events', payload: { events: eventsOf([first, last]) } },
    ])
  })

  it('have an address only with the integration that signs what goes there', async () => {
    const unsigned = [
      await checkoutPayment(harness, { webhookUrl: ADDRESSED.webhookUrl }),
      await checkoutPayment(harness, { publicClientId: ADDRESSED.publicClientId }),
    ]
    expect(await jobsOf(new Map(unsigned.map((payment) => [payment, TOLD])))).toEqual([
      { name: 'publish-events', payload: { events: eventsOf(unsigned) } },
    ])
  })

  it('share none where one alone is told of, before which the jobs come that follow from the changes', async () => {
    const [told, untold] = [await checkoutPayment(harness), await checkoutPayment(harness)]
    const jobs = [{ name: 'follows', payload: {} }]
    expect(
      await jobsOf(
        new Map([
          [told, TOLD],
          [untold, { ...TOLD, notify: false, jobs }],
        ]),
      ),
    ).toEqual([
      { name: 'follows', payload: {} },
      { name: 'publish-event', payload: eventOf(told) },
    ])
  })
})
