import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { FINALITY_BLOCKS, startWalletPayments } from '../../fixtures/wallet-payments.js'
import type { OnChain } from '../../rails/on-chain.js'
import type { Payment } from '../../store/payment.entity.js'
import { followBroadcasts } from './follow-broadcasts.js'
import { followFinality } from './follow-finality.js'

const { harness, paid } = await startWalletPayments()

const polygon = () => {
  const chain = harness.options.settings.chains.find(({ name }) => name === 'polygon')
  if (!chain) throw new Error('no such chain')
  return chain
}
/** Whether nobody looks at what paid it any more. */
const isOver = async (payment: Payment): Promise<boolean> => {
  const { tenantId, id, tidHash } = await presentOf(harness, payment)
  return (await harness.deps.broadcasts.find(tenantId, id, tidHash ?? ''))?.checkAt === null
}

describe("a payer's transaction that is final", () => {
  it('is left to its own job where its receivers have not got all of it, and told where they refuse it after that', async () => {
    const split = await paid([60, 40])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    const refused = () => Promise.reject(new AppError('broadcast_rejected'))
    const look = async (seconds: number) => {
      await harness.advance(seconds)
      await followBroadcasts({ ...harness.deps, settleStep: refused }, polygon())
    }
    await look(60)
    expect(await isOver(split.payment)).toBe(false)
    const told = expect.objectContaining({ kind: 'split_failed', subject: split.payment.id })
    expect(await harness.deps.alerts.list()).toContainEqual(told)
    await harness.advance(301)
    await followBroadcasts(harness.deps, polygon())
    expect(await isOver(split.payment)).toBe(true)
    expect(await harness.deps.alerts.list()).not.toContainEqual(told)
    const waiting = await paid([60, 40])
    await harness.query(`update payments.payment set status = 'pending' where id = $1`, [waiting.payment.id])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await look(60)
    expect(await isOver(waiting.payment)).toBe(true)
  })

  it('calls nobody for one refusal to share its split out again, which a node that is behind may have caused, but for two minutes of them', async () => {
    const { payment } = await paid([60, 40])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    const reverts = () => Promise.reject(new AppError('broadcast_simulation_failed', { details: 'execution reverted' }))
    const look = async (seconds: number, settleStep: typeof harness.deps.settleStep) => {
      await harness.advance(seconds)
      await followBroadcasts({ ...harness.deps, settleStep }, polygon())
    }
    const isTold = async (): Promise<boolean> =>
      (await harness.deps.alerts.list()).some(({ kind, subject }) => kind === 'split_failed' && subject === payment.id)
    await look(60, reverts)
    await look(61, reverts)
    expect(await isTold()).toBe(false)
    await look(61, reverts)
    expect(await isTold()).toBe(true)
    await look(301, harness.deps.settleStep)
    expect([await isTold(), await isOver(payment)]).toEqual([false, true])
  })

  it('is looked at by one worker at a time', async () => {
    const { payment } = await paid([100])
    await harness.advance(60)
    const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<'waiting'>()]
    let looks = 0
    const finalityOf = (): Promise<'waiting'> => {
      looks += 1
      asked.resolve(undefined)
      return answered.promise
    }
    const evm = { ...(harness.deps.onChain.evm as OnChain), finalityOf }
    const deps = { ...harness.deps, onChain: { ...harness.deps.onChain, evm } }
    const first = followFinality(deps, { chainName: 'polygon' })
    await asked.promise
    await followFinality(deps, { chainName: 'polygon' })
    expect(looks).toBe(1)
    answered.resolve('waiting')
    await first
    expect(await isOver(payment)).toBe(false)
  })
})

describe("a payer's transaction that cannot be looked at to its end", () => {
  it.each(['broadcast_rejected', 'confirm_rpc_unavailable'] as const)(
    'keeps none behind it from its turn: %s',
    async (code) => {
      const [stuck, other] = [await paid([60, 40]), await paid([60, 40])]
      await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
      await harness.advance(60)
      const settleStep: typeof harness.deps.settleStep = (payment) =>
        payment.id === stuck.payment.id ? Promise.reject(new AppError(code)) : harness.deps.settleStep(payment)
      const told = followBroadcasts({ ...harness.deps, settleStep }, polygon()).then(
        () => undefined,
        (error: unknown) => (error as AppError).code,
      )
      // What says that the chain cannot be asked is told after the others had their turn; a refused split is its own job's.
      expect(await told).toBe(code === 'confirm_rpc_unavailable' ? code : undefined)
      expect(await isOver(other.payment)).toBe(true)
    },
  )
})
