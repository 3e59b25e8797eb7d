import { describe, expect, it } from 'vitest'
import { startDyingProduct } from '../harness/paid-once.js'
import { startProcessHarness } from '../harness/process-harness.js'

const harness = await startProcessHarness()
const product = await startDyingProduct(harness)

const ONE_RECEIVER = { percents: [100], shares: [18_450_185n] }

describe('killed with -9 at any step of executing a payment on chain', () => {
  it('it is relayed once, ends in success by itself, and the receiver is paid once', async () => {
    const steps = await product.pay(ONE_RECEIVER)
    // Written down before it is sent, and only then sent: the order on which everything rests.
    expect(steps).toEqual([
      'commit payment',
      'eth_sendRawTransaction',
      'commit relay',
      'unlock',
      'commit payment',
      'commit relay',
    ])
    for (const step of steps.keys()) {
      await product.payAndDie(ONE_RECEIVER, { step, when: 'before' })
      await product.payAndDie(ONE_RECEIVER, { step, when: 'after' })
    }
  }, 180_000)
})

const SPLIT = { percents: [70, 30], shares: [12_915_130n, 5_535_055n] }
/** The steps of the request itself are those of a payment to one receiver. */
const STEPS_OF_THE_REQUEST = 6

describe('killed with -9 at any step of sharing out a split', () => {
  it('the worker that comes after it goes on, and every receiver is paid once', async () => {
    const steps = await product.pay(SPLIT)
    expect(steps.filter((step) => step === 'eth_sendRawTransaction')).toHaveLength(3)
    for (const step of steps.keys()) {
      if (step < STEPS_OF_THE_REQUEST) continue
      await product.payAndDie(SPLIT, { step, when: step % 2 === 0 ? 'before' : 'after' })
      if (steps[step] === 'eth_sendRawTransaction') {
        await product.payAndDie(SPLIT, { step, when: step % 2 === 0 ? 'after' : 'before' })
      }
    }
  }, 240_000)
})
