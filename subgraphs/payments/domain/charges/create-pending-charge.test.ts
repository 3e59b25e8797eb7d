import { describe, expect, it } from 'vitest'
import { withPixAdapter } from '../../fixtures/pix-adapter.js'
import { chargedPayment, chargeOf, payAndProcess, pixInput, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargesOf, receiptsOf, returnsOf } from '../../fixtures/rows.js'
import { until } from '../../../../test/harness/until.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'

const harness = await startPaymentsHarness()

const OTHER_CPF = '111.444.777-35'
const REFUSED = { code: 'payment_already_processed' }

/** A request of another payer that stands still right after the provider made its charge, and how to let it go on. */
async function heldRequest(payment: Payment) {
  const gate = Promise.withResolvers<undefined>()
  const created = Promise.withResolvers<undefined>()
  const deps = withPixAdapter(harness, (adapter) => ({
    create: async (order) => {
      const view = await adapter.create(order)
      created.resolve(undefined)
      await gate.promise
      return view
    },
  }))
  const outcome = createTransaction(deps, harness.tenant, pixInput(payment, { payerCpf: OTHER_CPF })).then(
    () => 'handed out',
    (error: { code: string }) => error.code,
  )
  await created.promise
  const [{ reference } = {}] = await chargesOf(harness, payment)
  return {
    reference: String(reference),
    goOn: () => {
      gate.resolve(undefined)
      return outcome
    },
  }
}

describe('two payers who ask for a charge at once', () => {
  it('never get one over a charge that was paid meanwhile, and the other charge is withdrawn', async () => {
    const payment = await checkoutPayment(harness)
    const held = await heldRequest(payment)
    const first = await startPix(harness, payment)
    const { reference, id } = await chargeOf(harness, first)
    await payAndProcess(harness, reference)
    expect(await held.goOn()).toBe('payment_already_processed')
    expect(await presentOf(harness, payment)).toMatchObject({ chargeId: id, status: 'pending' })
    // Money that was under way when the charge was removed comes all the same: it goes back.
    await payAndProcess(harness, held.reference)
    await until('the second money is back', async () => {
      await harness.goOn(30)
      return (await returnsOf(harness, payment)).some(({ status }) => status === 'done')
    })
    expect(await receiptsOf(harness, payment)).toEqual([
      { outcome: 'accepted', reason: null },
      { outcome: 'returned', reason: 'paid_twice' },
    ])
    expect(await returnsOf(harness, payment)).toMatchObject([{ status: 'done', receiptReason: 'paid_twice' }])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('do not take each other’s charge while the first can still be paid', async () => {
    const payment = await checkoutPayment(harness)
    const held = await heldRequest(payment)
    const { chargeId } = await startPix(harness, payment)
    expect(await held.goOn()).toBe('payment_already_processed')
    expect(await presentOf(harness, payment)).toMatchObject({ chargeId })
    const rail = harness.deps.rails.find((candidate) => candidate.name === 'pix')
    const view = rail?.kind === 'charge' ? await rail.adapter.retrieve(held.reference) : undefined
    expect(view?.status).toBe('cancelled')
  })

  it('get the same charge where they are the same payer', async () => {
    const payment = await checkoutPayment(harness)
    const all = await Promise.all([1, 2, 3].map(() => startPix(harness, payment)))
    expect(new Set(all.map(({ chargeId }) => chargeId)).size).toBe(1)
  })
})

describe('a charge that waits for its payer', () => {
  it('is replaced at once where the provider ended or removed it, though nobody told us', async () => {
    for (const end of ['expire', 'remove']) {
      const { payment, txid } = await chargedPayment(harness)
      await harness.pixControl(`/cob/${txid}/${end}`)
      const fresh = await startPix(harness, payment)
      expect((await chargeOf(harness, fresh)).reference).not.toBe(txid)
      expect(fresh.status).toBe('pending')
    }
  })

  it('is not given again once it was paid, though nobody told us', async () => {
    await harness.pixControl('/callbacks', { mode: 'drop' })
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/pay`)
    await expect(startPix(harness, payment)).rejects.toMatchObject(REFUSED)
    await harness.pixControl('/callbacks', { mode: 'deliver' })
  })

  it('is given again while the provider cannot be asked', async () => {
    const { payment } = await chargedPayment(harness)
    const down = () =>
      Promise.reject(new ProviderError({ provider: 'pix', kind: 'unavailable', retryable: true, message: 'down' }))
    const again = await createTransaction(
      withPixAdapter(harness, () => ({ retrieve: down })),
      harness.tenant,
      pixInput(payment),
    )
    expect(again.chargeId).toBe(payment.chargeId)
  })
})

describe('a charge whose provider took so long that it outlives its quote', () => {
  /** How late the provider counts its life from. */
  const LATE_MS = 60_000

  it('is withdrawn, and the same payer is given another one at once', async () => {
    const payment = await checkoutPayment(harness)
    let outlives = 1
    const deps = withPixAdapter(harness, (adapter) => ({
      create: async (order) => {
        const view = await adapter.create(order)
        if (outlives === 0 || !view.expiresAt) return view
        outlives -= 1
        return { ...view, expiresAt: new Date(view.expiresAt.getTime() + LATE_MS) }
      },
    }))
    const ask = () => createTransaction(deps, harness.tenant, pixInput(payment))
    await expect(ask()).rejects.toMatchObject({ code: 'provider_timeout' })
    const given = await ask()
    expect(given.status).toBe('pending')
    expect(await chargesOf(harness, payment)).toMatchObject([{ state: 'closed' }, { state: 'open', attempt: 2 }])
    // Money that was under way for the first goes back, and the second pays.
    const [{ reference } = {}] = await chargesOf(harness, payment)
    await payAndProcess(harness, String(reference))
    await until('the first money is back', async () => {
      await harness.goOn(30)
      return (await returnsOf(harness, payment)).some(({ status }) => status === 'done')
    })
    expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'returned', reason: 'paid_late' }])
    await payAndProcess(harness, (await chargeOf(harness, given)).reference)
    expect(await receiptsOf(harness, payment)).toContainEqual({ outcome: 'accepted', reason: null })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it.each(['us', 'its provider'])('is not handed out where it was removed by %s since it was made', async (by) => {
    const payment = await checkoutPayment(harness)
    const dying = withPixAdapter(harness, (adapter) => ({
      create: async (order) => {
        await adapter.create(order)
        if (by === 'us') await adapter.cancel(order.reference)
        else await harness.pixControl(`/cob/${order.reference}/remove`)
        throw new Error('the process has died')
      },
    }))
    await expect(createTransaction(dying, harness.tenant, pixInput(payment))).rejects.toMatchObject({
      code: 'server_error',
    })
    await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'provider_timeout' })
    expect((await startPix(harness, payment)).status).toBe('pending')
  })
})
