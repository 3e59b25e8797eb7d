import { expect, it } from 'vitest'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { fault } from '../../../../test/harness/control.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargedPayment, chargeOf, presentOf } from '../../fixtures/pix-payments.js'
import { UNANSWERED_PRIORITY, WATCH_PRIORITY } from './charge-jobs.js'
import { watchCharge } from './watch-charge.js'

const harness = await startPaymentsHarness()

it('a look at a charge that its provider does not answer comes again behind all else, and one that it answers in its turn', async () => {
  const { payment } = await chargedPayment(harness)
  const { tenantId, id: chargeId } = await chargeOf(harness, await presentOf(harness, payment))
  const added: JobRequest[] = []
  const addJobNow = (job: JobRequest): Promise<void> => {
    added.push(job)
    return Promise.resolve()
  }
  const look = () => watchCharge({ ...harness.deps, addJobNow }, { tenantId, chargeId })
  await look()
  await fault(harness.pix.url, 'down')
  await look()
  await fault(harness.pix.url, 'ok')
  expect(added.map(({ priority }) => priority)).toEqual([WATCH_PRIORITY, UNANSWERED_PRIORITY])
})
