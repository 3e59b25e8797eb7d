import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { startPix } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { subscriptionActs } from '../../fixtures/subscriptions.js'
import type { Stores } from '../../store/stores.js'

const STARTS = 12

const harness = await startPaymentsHarness()
const setLimits = (...limits: string[]): Promise<number> =>
  runLedger(harness, 'limits', '--tenant', harness.tenant.id, '--currency', 'BRL', ...limits)

/** The same harness, which adds up a tenant's day otherwise. */
function countingBy(lockUse: Stores['risk']['lockUse']): typeof harness {
  return { ...harness, deps: { ...harness.deps, risk: { ...harness.deps.risk, lockUse } } }
}

describe('a payment that begins', () => {
  const uncounting = countingBy(() => Promise.reject(new Error('a day was added up')))

  it('adds up no day where nothing is limited, and a subscription knows its payer by it all the same', async () => {
    const { payment } = await subscriptionActs(uncounting).subscribe()
    expect(payment).toMatchObject({ status: 'success' })
    const written = await harness.query('select cardinality(payers) as payers from payments.limit_use')
    expect(written).toEqual([{ payers: 2 }])
  })

  it('adds up no day where only a payment is limited', async () => {
    expect(await setLimits('--per-payment', '100')).toBe(0)
    expect(await startPix(uncounting, await checkoutPayment(harness))).toMatchObject({ status: 'pending' })
    const dear = await checkoutPayment(harness, { amountFrom: '100.01' })
    await expect(startPix(uncounting, dear)).rejects.toMatchObject({ details: 'per payment: 100 BRL' })
  })

  it('holds no connection while more than two of its tenant add up their day', async () => {
    expect(await setLimits('--per-tenant-day', '100000')).toBe(0)
    let counting = 0
    let most = 0
    const watched = countingBy(async (...given) => {
      counting += 1
      most = Math.max(most, counting)
      try {
        return await harness.deps.risk.lockUse(...given)
      } finally {
        counting -= 1
      }
    })
    const payments = await Promise.all(Array.from({ length: STARTS }, () => checkoutPayment(harness)))
    const started = await Promise.all(payments.map((payment) => startPix(watched, payment)))
    expect(new Set(started.map(({ status }) => status))).toEqual(new Set(['pending']))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
  })
})
