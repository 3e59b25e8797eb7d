import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startWorker } from '../../../kernel/worker.js'
import { ending } from '../../../test/harness/at-end.js'
import { ownPool } from '../../../test/harness/database.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { until } from '../../../test/harness/until.js'
import { paymentJobs } from '../jobs.js'
import { CHARGE_SUBSCRIPTION, chargePeriodJob } from './subscription-jobs.js'

/** As a worker of the product has. */
const PLACES = 20
const DUE = 60

const harness = await startPaymentsHarness()
const { deps } = harness

it('a tenant whose subscriptions are due by the dozen, at a slow processor, leaves places to what is due later of another’s', async () => {
  const begun: string[] = []
  const processor = Promise.withResolvers<undefined>()
  // Of these nothing is found once it was looked for, which takes the one tenant as long as a slow processor.
  const findPeriod: typeof deps.subscriptions.findPeriod = async (tenantId, subscriptionId) => {
    if (!begun.includes(subscriptionId)) begun.push(subscriptionId)
    if (tenantId === 'worst') await processor.promise
    return undefined
  }
  const now = harness.clock.now().getTime()
  const attemptOf = (tenantId: string, subscriptionId: string, at: number) =>
    deps.addJobNow(chargePeriodJob({ tenantId, subscriptionId, period: 1, attempt: 1 }, new Date(at)))
  for (let number = 0; number < DUE; number += 1) await attemptOf('worst', `worst-${number}`, now - 60_000)
  await attemptOf('other', 'other', now - 59_000)

  const kinds = paymentJobs({ ...deps, subscriptions: { ...deps.subscriptions, findPeriod } })
  const charging = kinds.filter(({ name }) => name === CHARGE_SUBSCRIPTION)
  const pool = ownPool(harness.databaseUrl, PLACES + 4)
  const log = pino({ level: 'silent' })
  ending(await startWorker({ pool, kinds: charging, periodic: [], concurrency: PLACES, log }))

  await until('the other tenant is charged', () => begun.includes('other'))
  expect(begun.length).toBeLessThanOrEqual(PLACES / 2 + 1)
  processor.resolve(undefined)
  await until('all are charged', () => begun.length === DUE + 1)
  await until('nothing is left', async () => {
    const left = await harness.query(
      `select 1 from graphile_worker._private_jobs where key like 'charge-subscription:%'`,
    )
    return left.length === 0
  })
})
