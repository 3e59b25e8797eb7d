import { describe, expect, it } from 'vitest'
import { startDyingProduct } from '../harness/paid-once.js'
import { startProcessHarness } from '../harness/process-harness.js'

const world = await startProcessHarness()
const product = await startDyingProduct(world)

const SPLIT = { percents: [70, 30], shares: [12_915_130n, 5_535_055n] }
/** The steps of the request itself are those of a payment to one receiver. */
const STEPS_OF_THE_REQUEST = 5

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
  }, 480_000)
})
