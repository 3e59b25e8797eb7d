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
      // With the payment, that it is being executed.
      'commit relay',
      // That a node may have it, before one does: from then on no refusal gives the payment back.
      'commit relay',
      'eth_sendRawTransaction',
      'commit relay',
      'unlock',
      // With the payment, that what paid it is looked at until it is final.
      'commit payment',
    ])
    for (const [step, name] of steps.entries()) {
      await product.payAndDie(ONE_RECEIVER, { step, when: 'before' })
      // After any other step is before the next: nothing lies between that outlives the process.
      const isLast = step === steps.length - 1
      if (isLast || name === 'eth_sendRawTransaction') await product.payAndDie(ONE_RECEIVER, { step, when: 'after' })
    }
  }, 480_000)
})
