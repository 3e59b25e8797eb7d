import { afterEach, describe, expect, it } from 'vitest'
import type { PaymentsDeps } from '../../context.js'
import { startAddressHarness } from '../../fixtures/address-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, startPix } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { cancelPayment } from '../cancel-payment.js'
import { openAddress } from './open-address.js'

const { harness, deps, tenant, send, pass, addressOf } = await startAddressHarness()
const DAY_SECONDS = 24 * 3_600
const FULL = { code: 'payment_limit_exceeded', details: 'addresses that are watched: 2' }

/** The same, where two addresses of a tenant may be watched. */
const bound: PaymentsDeps = {
  ...deps,
  rails: deps.rails.map((rail) =>
    rail.kind === 'wallet'
      ? { ...rail, placeAddress: async (...args) => ({ ...(await rail.placeAddress(...args)), watchedMax: 2 }) }
      : rail,
  ),
}

const openFor = ({ id: paymentId }: Payment) => openAddress(bound, tenant, { paymentId, chainName: 'polygon' })
const opened = async (): Promise<Payment> => openFor(await checkoutPayment(harness))
/** More than a day after the price of what was opened. */
const dayPasses = () => harness.advance(DAY_SECONDS + 3_600)

async function areWatched(payments: readonly Payment[]): Promise<boolean[]> {
  const rows = await deps.addresses.ofPayments(
    tenant.id,
    payments.map(({ id }) => id),
  )
  return rows.map(([address]) => address !== undefined && address.watchUntil > harness.clock.now())
}

afterEach(() =>
  harness.query('update payments.payment_address set watch_until = $1', [harness.clock.now().toISOString()]),
)

describe('the addresses of one tenant', () => {
  it('are no more than may be watched, also where their payments were canceled', async () => {
    for (let time = 0; time < 2; time += 1) await cancelPayment(deps, tenant, { id: (await opened()).id })
    await expect(opened()).rejects.toMatchObject(FULL)
  })

  it('are no more where several are opened at the same moment', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, () => checkoutPayment(harness)))
    const answers = await Promise.allSettled(payments.map(openFor))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(refusals).toEqual(Array.from({ length: 4 }, () => expect.objectContaining(FULL) as unknown))
  })

  it('do not keep one from being opened again that is watched', async () => {
    const [payment] = [await opened(), await opened()]
    await harness.advance(16 * 60)
    expect(await openFor(payment)).toMatchObject({ status: 'pending' })
  })

  it('give way to new ones a day after their price, the oldest to which nothing came first', async () => {
    const part = await opened()
    await send(await addressOf(part), '5')
    await pass(2)
    const empty = await opened()
    await dayPasses()
    const third = await opened()
    expect(await areWatched([part, empty, third])).toEqual([true, false, true])
    const fourth = await opened()
    expect(await areWatched([part, third, fourth])).toEqual([false, true, true])
    await expect(opened()).rejects.toMatchObject(FULL)
  })

  it('leave a payer the charge that would be removed for one that cannot be watched', async () => {
    const waiting = await startPix(harness, await checkoutPayment(harness))
    for (let time = 0; time < 2; time += 1) await opened()
    await expect(openFor(waiting)).rejects.toMatchObject(FULL)
    expect(await chargeOf(harness, waiting)).toMatchObject({ state: 'open' })
  })

  it('bind no other tenant', async () => {
    for (let time = 0; time < 2; time += 1) await opened()
    await harness.query(`update payments.payment_address set tenant_id = 'another' where tenant_id = $1`, [tenant.id])
    expect(await opened()).toMatchObject({ status: 'pending' })
  })
})
