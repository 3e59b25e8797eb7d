import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.js'
import type { PaymentsDeps } from '../../context.js'
import { DUE, units, startAddressHarness } from '../../fixtures/address-payments.js'
import { Crash, crashingDeps } from '../../fixtures/crashing-deps.js'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { loseJobs } from '../../fixtures/rows.js'
import { cancelPayment } from '../cancel-payment.js'
import { createTransaction } from '../create-transaction.js'
import { startWatching, watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, tenant, USDC, open, opened, send, pass, untilSettled, causesOf, alertsOn } =
  await startAddressHarness()

describe('a payment by address', () => {
  it('is paid by whoever sends the token, and its one receiver gets all of it', async () => {
    const { payment, address, receiver } = await opened()
    expect(payment).toMatchObject({
      status: 'pending',
      transactionType: 'crypto',
      amountTo: DUE,
      unsignedTransaction: null,
    })
    await send(address, DUE)
    const paid = await untilSettled(payment)
    expect(paid).toMatchObject({ receivedAmount: DUE, overpaidAmount: null, late: false, dataError: null })
    expect(paid.tidHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await harness.balanceOf(receiver)).toBe(units(DUE))
    expect(await causesOf(payment)).toEqual(['registered', 'address_opened', 'payer_paid', 'receivers_paid'])
  })

  it('is not paid before its block has the chain’s confirmations', async () => {
    const { payment, address } = await opened()
    await send(address, DUE)
    await harness.goOn(1)
    expect(await presentOf(harness, payment)).toMatchObject({ tidHash: null, receivedAmount: null })
    await untilSettled(payment)
  })

  it('adds up two deposits, and counts each once however often it is looked at', async () => {
    const { payment, address, receiver } = await opened()
    await send(address, '10')
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: '10', tidHash: null })
    for (let time = 0; time < 3; time += 1) await watchAddresses(deps, { chainName: 'polygon', scope: 'open' })
    await pass(2)
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '10' })
    await send(address, '8.450185')
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
    expect(await harness.balanceOf(receiver)).toBe(units(DUE))
  })

  it('is found though nothing looked while it came, as after a restart', async () => {
    const { payment, address } = await opened()
    await loseJobs(harness)
    await send(address, DUE)
    await anvil.mine({ blocks: 1_010 })
    await startWatching(deps)
    await untilSettled(payment)
  })

  it('does not wait for another whose sender nobody can screen for as long', async () => {
    const [slow, other] = [await opened(), await opened()]
    for (const { address } of [slow, other]) await send(address, DUE)
    await anvil.mine({ blocks: 5 })
    const isOtherCounted = Promise.withResolvers<undefined>()
    const read: typeof deps.addresses.read = async (reference) => {
      if (reference.paymentId === slow.payment.id) await isOtherCounted.promise
      return deps.addresses.read(reference)
    }
    const count: typeof deps.addresses.count = async (em, reference) => {
      await deps.addresses.count(em, reference)
      if (reference.paymentId === other.payment.id) isOtherCounted.resolve(undefined)
    }
    const slowed = { ...deps, addresses: { ...deps.addresses, read, count } }
    await watchAddresses(slowed, { chainName: 'polygon', scope: 'all' })
    for (const { payment } of [slow, other]) await untilSettled(payment)
  })

  it('is within the limits of its tenant', async () => {
    const limit = { perPayment: '99', perPayerDay: null, perTenantDay: null }
    await deps.risk.setLimits(tenant.id, 'BRL', limit)
    const payment = await checkoutPayment(harness)
    await expect(open(payment)).rejects.toMatchObject({ code: 'payment_limit_exceeded' })
    await deps.risk.setLimits(tenant.id, 'BRL', { ...limit, perPayment: null })
  })

  it('is paid at the address though a wallet was asked meanwhile', async () => {
    const { payment, address, receiver } = await opened()
    const payer = harness.newReceiver()
    await send({ ...address, address: payer }, DUE)
    await anvil.setBalance({ address: payer, value: 10n ** 18n })
    await createTransaction(deps, tenant, cryptoInput(payment, payer))
    await send(address, DUE)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, unsignedTransaction: null })
    expect(await harness.balanceOf(receiver)).toBe(units(DUE))
  })

  it('that is canceled takes nothing more: its tenant sees what came, and an operator is told', async () => {
    const { payment, address, receiver } = await opened()
    await cancelPayment(deps, tenant, { id: payment.id })
    await send(address, DUE)
    await startWatching(deps)
    await pass(2)
    const canceled = { status: 'error', dataError: { code: 'canceled' }, receivedAmount: DUE }
    expect(await presentOf(harness, payment)).toMatchObject(canceled)
    expect(await alertsOn(payment)).toEqual([expect.objectContaining({ kind: 'deposit_unexpected' })])
    expect(await harness.balanceOf(receiver)).toBe(0n)
  })

  it('cannot be canceled while what was sent waits for its confirmations', async () => {
    const { payment, address } = await opened()
    await send(address, '1')
    await expect(cancelPayment(deps, tenant, { id: payment.id })).rejects.toMatchObject({
      code: 'payment_already_processed',
    })
  })

  it('that is sent on another chain, where the address is the same, is seen and told', async () => {
    const { payment, address } = await opened()
    const chains = [
      { ...harness.chain, name: 'elsewhere' },
      ...deps.settings.chains.map((chain) => ({ ...chain, name: 'polygon' })),
    ]
    const elsewhere = { ...deps, settings: { ...deps.settings, chains } }
    await watchAddresses(elsewhere, { chainName: 'elsewhere', scope: 'all' })
    await send(address, DUE)
    await anvil.mine({ blocks: 2 })
    await watchAddresses(elsewhere, { chainName: 'elsewhere', scope: 'all' })
    expect(await alertsOn(payment)).toEqual([
      expect.objectContaining({
        kind: 'deposit_unexpected',
        details: expect.stringContaining('on elsewhere') as string,
      }),
    ])
    expect(await harness.query(`select 1 from payments.deposit where chain_name = 'elsewhere'`)).toEqual([])
    await untilSettled(payment)
  })

  it('is not paid by another token, of which an operator is told', async () => {
    const { payment, address } = await opened()
    await send(address, '20', USDC)
    await pass(2)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: null })
    expect(await alertsOn(payment)).toEqual([expect.objectContaining({ kind: 'deposit_unexpected' })])
  })

  it('that waits for a Pix by now has that removed, and is paid at the address', async () => {
    const { payment, address } = await opened()
    await harness.query(`update payments.payment set status = 'error' where id = $1`, [payment.id])
    const charge = await chargeOf(harness, await startPix(harness, payment))
    await send(address, DUE)
    expect(await untilSettled(payment)).toMatchObject({ transactionType: 'crypto', chargeId: null })
    expect(await deps.charges.find(tenant.id, charge.id)).toMatchObject({ state: 'closed' })
  })

  it('is paid though others before it, as many as are counted at once, cannot be counted now', async () => {
    const two = [await opened(), await opened()].toSorted((one, other) => (one.payment.id < other.payment.id ? -1 : 1))
    for (const { address } of two) await send(address, DUE)
    await anvil.mine({ blocks: 2 })
    const [stuck, other] = two.map(({ payment }) => payment)
    if (!stuck || !other) throw new Error('nothing was opened')
    const addresses: PaymentsDeps['addresses'] = {
      ...deps.addresses,
      due: (chainName, now, page) => deps.addresses.due(chainName, now, { ...page, limit: 1 }),
      read: (reference) =>
        reference.paymentId === stuck.id
          ? Promise.reject(new AppError('provider_unavailable'))
          : deps.addresses.read(reference),
    }
    await watchAddresses({ ...deps, addresses }, { chainName: 'polygon', scope: 'open' })
    expect(await presentOf(harness, stuck)).toMatchObject({ receivedAmount: null })
    expect(await presentOf(harness, other)).toMatchObject({ receivedAmount: DUE })
    for (const payment of [stuck, other]) await untilSettled(payment)
  })

  it('does not count what was in a block that the chain has dropped', async () => {
    const { payment, address } = await opened()
    await send(address, '10')
    await pass()
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: '10' })
    await anvil.request({ method: 'anvil_reorg', params: [6, []] } as never)
    await pass(3)
    expect(await presentOf(harness, payment)).toMatchObject({ receivedAmount: null })
    await send(address, DUE)
    expect(await untilSettled(payment)).toMatchObject({ receivedAmount: DUE, overpaidAmount: null })
  })

  it('is paid once wherever a process dies on the way', async () => {
    for (let atStep = 0; atStep < 40; atStep += 1) {
      for (const side of ['before', 'after'] as const) {
        const { payment, address, receiver } = await opened()
        await send(address, DUE)
        await anvil.mine({ blocks: 2 })
        const { deps: mortal, steps } = crashingDeps(deps, { atStep, side })
        const died = await watchAddresses(mortal as PaymentsDeps, { chainName: 'polygon', scope: 'open' }).then(
          () => false,
          (error: unknown) => error instanceof Crash || String(error).includes('dead'),
        )
        await startWatching(deps)
        await untilSettled(payment)
        expect(await harness.balanceOf(receiver)).toBe(units(DUE))
        if (!died && steps.length <= atStep) return
      }
    }
    throw new Error('it never got to the end')
  })
})
