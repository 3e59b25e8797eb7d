import type { Hex } from 'viem'
import { expect, it } from 'vitest'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { UnsignedTransaction } from '../../model/unsigned-transaction.js'
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

/** A payment whose payer was shown its address, and has his wallet pay on another chain since. */
async function bridged(): Promise<Payment> {
  const splitPaymentConfig = [60, 40].map((receiverPercent) => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent,
  }))
  const payment = await open(await checkoutPayment(harness, { splitPaymentConfig }))
  const tidHash = `0x${(routes += 1).toString(16).padStart(64, '0')}`
  const change = { chainName: 'base', payerTokenSymbol: 'USDC', unsignedTransaction, signedTransaction: '0x', tidHash }
  await deps.payments.change(payment.tenantId, payment.id, () =>
    Promise.resolve({ change, cause: 'payer_paid', notify: false }),
  )
  return presentOf(harness, payment)
}

/** The bridge brings so much to the payment's address. Gives the hash. */
async function brings(payment: Payment, amount: string): Promise<Hex | undefined> {
  await send(await addressOf(payment), amount)
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
