import { expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { reconcile, reconcileAll } from './reconcile-jobs.js'
import { syncReceived } from './sync-received.js'

const harness = await startPaymentsHarness()
const { deps } = harness
const DAY_SECONDS = 86_400

const told = async () =>
  (await deps.alerts.list())
    .filter(({ kind }) => kind === 'books_differ')
    .map(({ subject, details }) => [subject, details])
async function nextDay(): Promise<void> {
  await harness.advance(DAY_SECONDS)
  await reconcileAll(deps)
}

it('a comparison that does not come to its end is told the next day but one, and no more once it has', async () => {
  const compare = async () => {
    await syncReceived(deps)
    await reconcile(deps, { rail: 'pix' })
    await reconcile(deps, { rail: 'card' })
  }
  await compare()
  const comparedAt = harness.clock.now().toISOString().slice(0, 10)
  await nextDay()
  expect(await told()).toEqual([])
  await harness.pixControl('/faults', { mode: 'down' })
  await syncReceived(deps)
  await expect(reconcile(deps, { rail: 'pix' })).rejects.toThrow()
  await reconcile(deps, { rail: 'card' })
  await nextDay()
  const since = expect.stringContaining(`not compared since ${comparedAt}`) as unknown
  expect((await told()).sort()).toEqual([
    ['reconciliation:provider:pix', since],
    ['reconciliation:received:pix', since],
    ['reconciliation:refunded:pix', since],
  ])
  await harness.pixControl('/faults', { mode: 'ok' })
  await compare()
  await nextDay()
  expect(await told()).toEqual([])
})

it('a comparison that was skipped is told with why, and one of a chain that is not enabled any more is not', async () => {
  const skipped = 'a transaction has landed and is not booked yet'
  for (const scope of ['chain:polygon', 'chain:gone'])
    await harness.query(
      `insert into payments.reconciliation (scope, begun_at, ended_at, skipped) values ($1, $2, $2, $3)`,
      [scope, harness.clock.now(), skipped],
    )
  const toldOfChains = async () => (await told()).filter(([subject]) => subject?.includes('chain:'))
  await reconcileAll(deps)
  expect(await toldOfChains()).toEqual([['reconciliation:chain:polygon', `not compared: ${skipped}`]])
  await harness.query(`update payments.reconciliation set ended_at = null, skipped = null where scope like 'chain:%'`)
  await harness.advance(DAY_SECONDS / 2 + 60)
  await reconcileAll(deps)
  expect(await toldOfChains()).toEqual([
    ['reconciliation:chain:polygon', expect.stringContaining('not compared since')],
  ])
})
