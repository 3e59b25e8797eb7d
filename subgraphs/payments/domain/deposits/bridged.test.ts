import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import type { UnsignedTransaction } from '../../model/unsigned-transaction.js'
import { railOfType } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { followRoute, type FollowRouteDeps } from '../transfers/follow-route.js'
import { watchAddresses } from './watch-addresses.js'

const { harness, anvil, deps, open, addressOf, send, pass, priceRunsOut, untilSettled, alertsOn } =
  await startAddressHarness()
let routes = 0

const call = { chainId: 8453, from: '0x', to: '0x', data: '0x', value: '0', nonce: 0 }
const unsignedTransaction = {
  ...{ schemaVersion: 1, family: 'evm', chainName: 'base', transactionRequest: call },
  meta: { source: 'router' },
} as unknown as UnsignedTransaction

/**
 * A payment whose payer was shown its address, and has his wallet pay on another chain since.
 * @param before what happens before he is shown the address
 */
async function bridged(before?: (payment: Payment) => Promise<void>): Promise<Payment> {
  const splitPaymentConfig = [60, 40].map((receiverPercent) => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent,
  }))
  const registered = await checkoutPayment(harness, { splitPaymentConfig })
  await before?.(registered)
  const payment = await open(registered)
  const tidHash = `0x${(routes += 1).toString(16).padStart(64, '0')}`
  const change = { chainName: 'base', payerTokenSymbol: 'USDC', unsignedTransaction, signedTransaction: '0x', tidHash }
  await deps.payments.change(payment.tenantId, payment.id, () =>
    Promise.resolve({ change, cause: 'payer_paid', notify: false }),
  )
  return presentOf(harness, payment)
}

/** The bridge brings so much to the payment's address. Gives the hash. */
async function brings(payment: Payment, amount: string): Promise<Hex | undefined> {
  return bringsTo(await addressOf(payment), amount)
}

async function bringsTo(address: Pick<PaymentAddress, 'address'>, amount: string): Promise<Hex | undefined> {
  await send(address, amount)
  const { transactions } = await anvil.getBlock()
  await anvil.mine({ blocks: 2 })
  return transactions[0]
}

/** Its router says so. */
async function arrives({ tenantId, id: paymentId, tidHash }: Payment, receivingTxHash: Hex | undefined): Promise<void> {
  const status = () => Promise.resolve({ status: 'done' as const, receivingTxHash })
  const routed = { ...deps, router: { ...deps.router, status } } as FollowRouteDeps
  await followRoute(routed, { tenantId, paymentId, hash: tidHash ?? '' })
}

const isPaid = { status: 'success', overpaidAmount: null }
const DAY_SECONDS = 24 * 3_600

/** The addresses of payments that wait for another attempt are looked at once more. */
async function later(seconds = 61): Promise<void> {
  await harness.advance(seconds)
  await priceRunsOut()
  await anvil.mine({ blocks: 3 })
  await watchAddresses(deps, { chainName: 'polygon', scope: 'all' })
  await harness.runJobs()
}

it('what a bridge has brought to the address of a split pays it, and is no second payment', async () => {
  const payment = await bridged()
  await arrives(payment, await brings(payment, '18.46'))
  await pass()
  await untilSettled(payment)
  await later()
  expect(await presentOf(harness, payment)).toMatchObject(isPaid)
  expect(await alertsOn(payment)).toEqual([])
  await send(await addressOf(payment), '20')
  await pass(3)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: '20' })
  expect(await alertsOn(payment)).toMatchObject([{ kind: 'paid_twice' }])
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('what a bridge has brought to the address of a split after its watch is no late money', async () => {
  const payment = await bridged()
  await harness.query('update payments.payment_address set watch_until = $1 where payment_id = $2', [
    harness.clock.now().toISOString(),
    payment.id,
  ])
  // Its price is long over too.
  await later(2_000)
  expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
  const hash = await brings(payment, DUE)
  await later(2 * DAY_SECONDS)
  expect(await alertsOn(payment)).toEqual([])
  await arrives(payment, hash)
  await untilSettled(payment)
  await later(2 * DAY_SECONDS)
  expect(await addressOf(payment)).toMatchObject({ laidBefore: units(DUE) })
  expect(await presentOf(harness, payment)).toMatchObject(isPaid)
  expect(await alertsOn(payment)).toEqual([])
})

it('what a bridge had brought before the address of a split was opened explains nothing that comes there after it', async () => {
  const rail = railOfType(deps, 'crypto')
  if (rail?.kind !== 'wallet') throw new Error('no wallet can pay')
  let hash: Hex | undefined
  const payment = await bridged(async (registered) => {
    hash = await bringsTo((await rail.placeAddress(registered, 'polygon')).place, '18.46')
    // Its block was read, for others.
    for (const scope of ['open', 'all'] as const) await watchAddresses(deps, { chainName: 'polygon', scope })
  })
  await arrives(payment, hash)
  await untilSettled(payment)
  await later()
  expect(await presentOf(harness, payment)).toMatchObject(isPaid)
  await send(await addressOf(payment), '20')
  await later()
  // What lay there is asked for again within an hour.
  await later(3_600)
  await later()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: '20' })
  expect((await alertsOn(payment)).map(({ kind }) => kind).sort()).toEqual(['deposit_unexpected', 'paid_twice'])
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})
