import { expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { startWalletPayments } from '../../fixtures/wallet-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { SplitProgress } from '../../rails/on-chain.js'
import { settleSplit } from './settle-split.js'

const { harness, paid } = await startWalletPayments()

async function splitHarness() {
  const { payment } = await paid([60, 40])
  await harness.query(`update payments.payment set status = 'pending' where id = $1`, [payment.id])
  const { tenantId, id: paymentId, tidHash } = await presentOf(harness, payment)
  let job: JobRequest['payload'] = { tenantId, paymentId, hash: tidHash }
  const look = async (seconds: number, step: () => Promise<SplitProgress>): Promise<void> => {
    harness.clock.advance(seconds * 1_000)
    const addJobNow = ({ payload }: JobRequest): Promise<void> => {
      job = payload
      return Promise.resolve()
    }
    await settleSplit({ ...harness.deps, settleStep: step, addJobNow }, job as Parameters<typeof settleSplit>[1])
  }
  const isTold = async (): Promise<boolean> =>
    (await harness.deps.alerts.list()).some(({ kind, subject }) => kind === 'split_failed' && subject === paymentId)
  const unrefused = { tenantId, paymentId, hash: tidHash }
  return { look, isTold, unrefused, job: () => job }
}

const refused = () => Promise.reject(new AppError('broadcast_simulation_failed', { details: 'it reverts' }))
const away = () => Promise.reject(new AppError('provider_unavailable'))
const waiting = () => Promise.resolve<SplitProgress>({ kind: 'waiting' })
const stepped = () => Promise.resolve<SplitProgress>({ kind: 'stepped' })

it('tells an operator of a split that is refused for two minutes, though others are at it in between', async () => {
  const { look, isTold, unrefused, job } = await splitHarness()
  await look(0, refused)
  await look(3, waiting)
  await look(30, away)
  await look(15, refused)
  await look(45, waiting)
  await look(10, refused)
  expect(await isTold()).toBe(false)
  await look(20, refused)
  expect(await isTold()).toBe(true)
  await look(15, waiting)
  expect(await isTold()).toBe(true)
  await look(5, stepped)
  expect(await isTold()).toBe(false)
  expect(job()).toEqual(unrefused)
})

it('tells nobody of one refusal after a split has waited for hours since the last one', async () => {
  const { look, isTold, unrefused, job } = await splitHarness()
  await look(0, refused)
  for (let hours = 0; hours < 5; hours += 1) await look(3_600, hours % 2 === 0 ? waiting : away)
  await look(5, refused)
  expect(await isTold()).toBe(false)
  await look(45, refused)
  await look(45, refused)
  expect(await isTold()).toBe(false)
  await look(45, refused)
  expect(await isTold()).toBe(true)
  await look(5, stepped)
  expect(job()).toEqual(unrefused)
})
