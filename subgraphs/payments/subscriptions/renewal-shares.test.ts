import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { JobRequest } from '../../../kernel/jobs.js'
import { startWorker } from '../../../kernel/worker.js'
import { ending } from '../../../test/harness/at-end.js'
import { ownPool } from '../../../test/harness/database.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { until } from '../../../test/harness/until.js'
import { paymentJobs } from '../jobs.js'
import { chargePeriodInShare, renewSubscriptionInShare } from './renewal-shares.js'
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

it('a tenant’s due dates wait neither for the places nor for the turns of its charges, and these not for theirs', async () => {
  const processor = Promise.withResolvers<undefined>()
  const begun: string[] = []
  const look = async (id: string) => {
    begun.push(id)
    if (id.startsWith('slow')) await processor.promise
    return undefined
  }
  const again: { key: string | undefined; inMs: number }[] = []
  const now = harness.clock.now()
  const given = {
    ...deps,
    clock: { ...deps.clock, now: () => now },
    addJobNow: ({ key, runAt }: JobRequest) => {
      again.push({ key, inMs: Number(runAt?.getTime()) - now.getTime() })
      return Promise.resolve()
    },
    subscriptions: {
      ...deps.subscriptions,
      findPeriod: (_tenantId: string, id: string) => look(id),
      find: (_tenantId: string, id: string) => look(id),
    },
  }
  const charge = (tenantId: string, subscriptionId: string) =>
    chargePeriodInShare(given, { tenantId, subscriptionId, period: 1, attempt: 1 })
  const renew = (tenantId: string, subscriptionId: string) =>
    renewSubscriptionInShare(given, { tenantId, subscriptionId })
  const running: Promise<void>[] = []
  for (let number = 0; number < DUE; number += 1) {
    running.push(charge('charging', `slow-charge-${number}`), renew('renewing', `slow-renewal-${number}`))
  }
  await renew('charging', 'renewal')
  await charge('renewing', 'charge')
  expect(begun).toEqual(expect.arrayContaining(['renewal', 'charge']))
  const slow = begun.filter((id) => id.startsWith('slow')).length
  expect(slow).toBeLessThanOrEqual(PLACES / 2)
  for (let number = 0; number < DUE; number += 1) running.push(renew('charging', `slow-later-${number}`))
  const late = () => again.filter(({ key }) => key?.startsWith('renew-subscription:slow-later'))
  await until('a due date is put off', () => late().length > 0)
  expect(late()[0]).toMatchObject({ inMs: 2_000 })
  processor.resolve(undefined)
  await Promise.all(running)
})
