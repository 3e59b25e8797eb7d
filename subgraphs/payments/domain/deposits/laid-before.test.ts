import { afterEach, expect, it } from 'vitest'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { openDifferences } from '../../fixtures/books.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { railOfType } from '../../rails/find-rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { acceptUnderpayment } from './accept-underpayment.js'
import { giveBackUnderpayment } from './give-back-underpayment.js'
import { startWatching, watchAddresses } from './watch-addresses.js'

const { harness, deps, tenant, open, addressOf, send, pass, priceRunsOut, untilSettled, causesOf, alertsOn } =
  await startAddressHarness()

/** A payment whose payer has taken the same address of another chain, or had it from a database that has lost it since. */
async function openedOver(amount: string): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await checkoutPayment(harness, { splitPaymentConfig })
  const rail = railOfType(deps, 'crypto')
  if (rail?.kind !== 'wallet') throw new Error('no wallet can pay')
  await send((await rail.placeAddress(payment, 'polygon')).place, amount)
  await pass()
  // Its block was read, for others, before.
  for (const scope of ['open', 'all'] as const) await watchAddresses(deps, { chainName: 'polygon', scope })
  return open(payment)
}

/** A payment to whose address something has come after its watch, and whose payer asks for the address again. */
async function openedAgainOver(amount: string): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const payment = await open(await checkoutPayment(harness, { splitPaymentConfig }))
  await priceRunsOut()
  await harness.query('update payments.payment_address set watch_until = $1 where payment_id = $2', [
    harness.clock.now().toISOString(),
    payment.id,
  ])
  await harness.advance(60)
  await priceRunsOut()
  await startWatching(deps)
  await pass()
  expect(await addressOf(payment)).toMatchObject({ lastReadBlock: expect.any(BigInt) as bigint })
  await send(await addressOf(payment), amount)
  // The chain is read on for another.
  await open(await checkoutPayment(harness))
  await pass()
  for (const scope of ['open', 'all'] as const) await watchAddresses(deps, { chainName: 'polygon', scope })
  const again = await open(payment)
  // No block is old enough; it is looked again after a minute.
  await harness.runJobs()
  return again
}

afterEach(() => {
  harness.pool.isBehind = () => false
})

it('what lay at an address before it was opened is told to an operator once, and keeps its payment from no end', async () => {
  const payment = await openedOver('0.000001')
  await pass()
  const told = { kind: 'deposit_unexpected', details: expect.stringContaining('0.000001 USDT lay at') as string }
  expect(await alertsOn(payment)).toMatchObject([told])
  await send(await addressOf(payment), '5')
  await pass()
  await priceRunsOut()
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'underpaid' } })
  expect(await acceptUnderpayment(deps, tenant, { id: payment.id })).toMatchObject({ status: 'pending' })
  await pass(3)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  expect(await alertsOn(payment)).toMatchObject([told])
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('what lay at an address before it was opened, and was shared out with what came, hides nothing that comes after that was given back', async () => {
  const topUp = ['--tenant', tenant.id, '--currency', 'USDT', '--amount', '20', '--reference', 'laid-before']
  expect(await runLedger(harness, 'fund-refunds', ...topUp)).toBe(0)
  const payment = await openedOver('4')
  await send(await addressOf(payment), '5')
  await pass()
  await priceRunsOut()
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'underpaid' } })
  await giveBackUnderpayment(deps, tenant, { paymentId: payment.id, wallet: harness.newReceiver() })
  await pass(6)
  expect(await addressOf(payment)).toMatchObject({ laidBefore: units('4'), booked: units('9') })
  await harness.advance(60)
  await send(await addressOf(payment), '3')
  await pass(3)
  expect(await openDifferences(deps)).toMatchObject([{ kind: 'held_deposit', actual: '3' }])
  expect(await alertsOn(payment)).toMatchObject([{ details: expect.stringMatching(/^0x/) as string }])
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('what lay at an address before it was opened, and was shared out with what paid, is no deposit that was undone', async () => {
  const payment = await openedOver('4')
  await send(await addressOf(payment), DUE)
  await untilSettled(payment)
  await send(await addressOf(payment), '1')
  await pass(3)
  expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: '1' })
  expect(await causesOf(payment)).not.toContain('deposit_undone')
})

it('what lay unread at an address that is opened again is no deposit that was undone, though all is shared out before it is asked for', async () => {
  const payment = await openedAgainOver('4')
  await send(await addressOf(payment), DUE)
  await untilSettled(payment)
  expect(await addressOf(payment)).toMatchObject({ laidBefore: 0n, booked: units(DUE) + units('4') })
  await watchAddresses(deps, { chainName: 'polygon', scope: 'all' })
  expect(await addressOf(payment)).toMatchObject({ laidBefore: units('4') })
  await send(await addressOf(payment), '1')
  await pass(8)
  expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: '1' })
  expect(await addressOf(payment)).toMatchObject({ booked: units(DUE) + units('5') })
  expect(await causesOf(payment)).not.toContain('deposit_undone')
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('what lay at an address before it was opened is not taken for what came since, by a node that has not seen that', async () => {
  const { pool, anvil } = harness
  const payment = await openedOver('4')
  await send(await addressOf(payment), DUE)
  await untilSettled(payment)
  await anvil.mine({ blocks: 10 })
  await send(await addressOf(payment), '3')
  // Another node tells what came.
  pool.lagBlocks = 10
  pool.isBehind = ([method = '', ...others]) =>
    others.length === 0 && ['eth_blockNumber', 'eth_call', 'eth_getCode'].includes(method)
  await pass(3)
  expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: '3' })
  pool.isBehind = () => false
  await pass(6)
  expect(await addressOf(payment)).toMatchObject({ booked: units(DUE) + units('7') })
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('what lay at an address is known by the block from which on it is read, though other nodes are behind that', async () => {
  const { pool, anvil } = harness
  const payment = await checkoutPayment(harness)
  const rail = railOfType(deps, 'crypto')
  if (rail?.kind !== 'wallet') throw new Error('no wallet can pay')
  const { place } = await rail.placeAddress(payment, 'polygon')
  await anvil.mine({ blocks: 4 })
  await send(place, '5')
  pool.lagBlocks = 3
  pool.isBehind = (methods) => !methods.includes('eth_blockNumber')
  const placed = await rail.placeAddress(payment, 'polygon')
  expect(placed.place).toMatchObject({ fromBlock: await anvil.getBlockNumber(), laidBefore: 5_000_000n })
})
