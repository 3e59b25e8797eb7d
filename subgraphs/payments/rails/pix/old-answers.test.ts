import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { paidPayment, untilToldOf } from '../../fixtures/pix-payments.js'
import { returnsOf } from '../../fixtures/rows.js'
import { paymentJobs } from '../../jobs.js'

/** Without a node of the chain payouts wait. */
const harness = await startPaymentsHarness()
const toWallet = { splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }] }

/** Works jobs off where the provider shows a charge as it is now for some more answers. @returns what ends that */
async function keepAnswers(txid: string, count: number) {
  let left = count
  const rails = await Promise.all(
    harness.deps.rails.map(async (rail) => {
      if (rail.kind !== 'charge' || rail.name !== 'pix') return rail
      const old = await rail.adapter.retrieve(txid)
      const retrieve: typeof rail.adapter.retrieve = (reference) => {
        if (reference !== txid || left === 0) return rail.adapter.retrieve(reference)
        left -= 1
        return Promise.resolve(old)
      }
      return { ...rail, adapter: { ...rail.adapter, retrieve } }
    }),
  )
  return { runJobs: () => runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails })) }
}

describe('a callback about a Pix that is there before what it tells of', () => {
  it('of a special return is looked into until the provider shows how far that is', async () => {
    const { payment, txid, endToEndId } = await paidPayment(harness, toWallet)
    const asked = await keepAnswers(txid, 2)
    await harness.pixControl(`/pix/${endToEndId}/med`, { held: true })
    await untilToldOf(harness, endToEndId, 2)
    expect((await asked.runJobs()).errors).toHaveLength(2)
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held' }])
    const decided = await keepAnswers(txid, 1)
    await harness.pixControl('/returns', { mode: 'settle' })
    await untilToldOf(harness, endToEndId, 3)
    expect((await decided.runJobs()).errors).toHaveLength(1)
    expect(await returnsOf(harness, payment)).toMatchObject([{ status: 'done', forced: true }])
    expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'cancelled' }])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
