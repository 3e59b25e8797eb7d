import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargedPayment, chargeOf, presentOf } from '../../fixtures/pix-payments.js'
import { receiptsOf } from '../../fixtures/rows.js'
import { railOfType } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge } from './sync-charge.js'

const harness = await startPaymentsHarness()

/** A charge of which one look shows what came, and then as much as was asked for, in time. */
async function paidTwice(first: { valor?: string; horario?: string }): Promise<Payment> {
  const { payment, txid } = await chargedPayment(harness)
  const at = harness.clock.now()
  await harness.pixControl('/callbacks', { mode: 'drop' })
  await harness.pixControl(`/cob/${txid}/pay`, first)
  await harness.pixControl('/callbacks', { mode: 'deliver' })
  const deps = withPixAdapter(harness, ({ retrieve }) => ({
    retrieve: async (reference) => {
      const view = await retrieve(reference)
      const [shown] = view?.receivedPayments ?? []
      if (!view || !shown) throw new Error('the charge is not paid')
      const more = { ...shown, id: `E${shown.id.slice(1).split('').toReversed().join('')}`, amount: '100', at }
      return { ...view, receivedPayments: [shown, more] }
    },
  }))
  const rail = railOfType(deps, 'pixcrypto')
  if (rail?.kind !== 'charge') throw new Error('there is no Pix')
  await syncCharge(deps, rail, await chargeOf(harness, payment))
  return presentOf(harness, payment)
}

describe('two Pix for one charge that one look shows', () => {
  it('are both given back where the first one is of another amount, and pay no receiver', async () => {
    const payment = await paidTwice({ valor: '99.99' })
    expect(payment).toMatchObject({ status: 'error', dataError: { code: 'amount_mismatch' } })
    const reasons = (await receiptsOf(harness, payment)).map(({ reason }) => reason)
    expect(new Set(reasons)).toEqual(new Set(['amount_mismatch', 'paid_late']))
    expect(await harness.deps.payouts.findAll(payment)).toEqual([])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pay the payment where only the first one came too late', async () => {
    const late = new Date(harness.clock.now().getTime() + 3_600_000).toISOString()
    const payment = await paidTwice({ horario: late })
    expect(payment).toMatchObject({ status: 'pending', dataError: null })
    expect(await receiptsOf(harness, payment)).toEqual([
      { outcome: 'accepted', reason: null },
      { outcome: 'returned', reason: 'paid_late' },
    ])
    expect(await harness.deps.payouts.findAll(payment)).toHaveLength(1)
  })
})
