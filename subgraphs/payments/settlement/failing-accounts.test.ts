import { afterEach, describe, expect, it } from 'vitest'
import { followFinality } from '../domain/transfers/follow-finality.js'
import { presentOf } from '../fixtures/pix-payments.js'
import { startTwoAccounts, type PaidTo } from '../fixtures/two-accounts.js'
import type { PayoutChain } from './payout-chain.js'
import { settleChainJob } from './settlement-jobs.js'

const { harness, first, second, other, fund, wave, expectPaidOnce, accountsOf, restore } = await startTwoAccounts({
  confirmations: 2,
})
const { anvil, deps } = harness
await fund(other, '1000')
afterEach(() => restore(2))

/** What is signed for these lands, gets its confirmations, and is written down by a run that nothing new has called. */
const expectPaid = async (payments: readonly PaidTo[]) => {
  await harness.goOn(1)
  await anvil.mine({ blocks: 2 })
  await expectPaidOnce(payments)
}
const mistake = () => Promise.reject(new TypeError('a mistake'))

describe('an account that something unexpected happens to', () => {
  it('keeps no other from being paid, and what it is comes out', async () => {
    await anvil.setAutomine(false)
    deps.payoutChains.evm = [first]
    const open = await wave(1)
    await harness.goOn(1)
    deps.payoutChains.evm = [{ ...first, retrieve: mistake }, second]
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    const payments = await wave(1)
    const { errors } = await harness.goOn(1)
    expect(errors).toContainEqual(new TypeError('a mistake'))
    await expectPaid(payments)
    expect(await accountsOf(payments)).toEqual([other])
    deps.payoutChains.evm = [first, second]
    await deps.addJobNow(settleChainJob('polygon'))
    await expectPaid(open)
  })

  it('keeps only those waiting whom it may have paid, where that is what is read of its past', async () => {
    deps.payoutChains.evm = [{ ...first, readForeign: mistake }, second]
    const before = await wave(1)
    const { errors } = await harness.goOn(1)
    expect(errors).toContainEqual(new TypeError('a mistake'))
    await harness.goOn(3601)
    const after = await wave(1)
    await expectPaid(after)
    expect(await accountsOf(after)).toEqual([other])
    expect(await accountsOf(before)).toEqual([])
    deps.payoutChains.evm = [first, second]
    await deps.addJobNow(settleChainJob('polygon'))
    await expectPaid(before)
  })

  it('keeps nothing else from being followed to finality', async () => {
    const followed: string[] = []
    const { gasPayer } = deps
    const follow = (name: string) => () => Promise.resolve(void followed.push(name))
    deps.gasPayer = { ...gasPayer, follow: follow('gas payer') }
    const failing: PayoutChain = {
      ...first,
      get finality(): never {
        throw new TypeError('a mistake')
      },
    }
    const next: PayoutChain = {
      ...second,
      get finality() {
        followed.push('second')
        return second.finality
      },
    }
    deps.payoutChains.evm = [failing, next]
    await expect(followFinality(deps, { chainName: 'polygon' })).rejects.toThrow('a mistake')
    deps.gasPayer = gasPayer
    expect([...new Set(followed)]).toEqual(['second', 'gas payer'])
  })
})

describe('what keeps payouts from being rescheduled', () => {
  it('keeps nothing that has landed from being written down', async () => {
    const { payouts } = deps
    deps.payoutChains.evm = [first]
    await anvil.setAutomine(false)
    const landed = await wave(1)
    await harness.goOn(1)
    const prepare: PayoutChain['prepare'] = (_chain, wanted) => {
      const failing = wanted.payouts.map((payout) => ({ payout, reason: 'it reverts' }))
      return Promise.resolve({ prepared: [], insufficientFunds: [], failing })
    }
    deps.payoutChains.evm = [{ ...first, prepare }]
    deps.payouts = { ...payouts, reschedule: () => Promise.reject(new TypeError('cannot be stored')) }
    const waiting = await wave(1)
    await harness.goOn(1)
    await anvil.mine({ blocks: 2 })
    await deps.addJobNow(settleChainJob('polygon'))
    const { errors } = await harness.runJobs()
    deps.payouts = payouts
    expect(errors).toContainEqual(new TypeError('cannot be stored'))
    for (const { payment } of landed) expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    await anvil.setAutomine(true)
    deps.payoutChains.evm = [first, second]
    await deps.addJobNow(settleChainJob('polygon'))
    await expectPaid(waiting)
  })
})
