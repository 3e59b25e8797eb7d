import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { DUE, startAddressHarness, units } from '../../fixtures/address-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { PaymentAddress } from '../../model/payment-address.js'
import { cancelPayment } from '../cancel-payment.js'
import { applyDeposits } from './apply-deposits.js'

const { harness, deps, tenant, opened, send, pass, untilSettled } = await startAddressHarness()
let blockNumber = 1n

/** The payment's address on another chain, as if its payer had opened it there first. */
async function addressOnBase(address: PaymentAddress): Promise<PaymentAddress> {
  const there = { ...address, chainName: 'base' }
  await deps.payments.change(tenant.id, address.paymentId, async (_locked, em) => {
    await deps.addresses.open(em, there)
    return undefined
  })
  return there
}

/** So much is found there, and counted. */
async function comesTo({ tenantId, paymentId, chainName }: PaymentAddress, amount: string): Promise<void> {
  blockNumber += 1n
  const hash = `0x${randomBytes(32).toString('hex')}` as const
  const where = { hash, logIndex: 0, blockNumber, blockHash: hash, minedAt: harness.clock.now() }
  const deposit = { tenantId, paymentId, sender: harness.newReceiver(), amount: units(amount), ...where }
  await deps.addresses.record(
    chainName,
    { scopes: [], from: undefined, upTo: { block: blockNumber, blockHash: hash } },
    [deposit],
  )
  await applyDeposits(deps, { tenantId, paymentId, chainName })
}

it('a payment that was paid on one chain shows what comes on another as more than was due, and is told of once', async () => {
  const { payment, address } = await opened()
  const there = await addressOnBase(address)
  await send(address, DUE)
  await untilSettled(payment)
  await comesTo(there, '5')
  const first = await presentOf(harness, payment)
  expect(first).toMatchObject({ status: 'success', receivedAmount: DUE, overpaidAmount: '5' })
  await applyDeposits(deps, there)
  expect(await presentOf(harness, payment)).toMatchObject({ sequence: first.sequence })
  await comesTo(there, DUE)
  const both = { receivedAmount: DUE, overpaidAmount: '23.450185' }
  expect(await presentOf(harness, payment)).toMatchObject({ ...both, sequence: first.sequence + 1 })
  await send(address, '1')
  await pass(2)
  const more = { receivedAmount: '19.450185', overpaidAmount: '24.450185' }
  expect(await presentOf(harness, payment)).toMatchObject(more)
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
})

it('a payment that was canceled shows what came on both chains', async () => {
  const { payment, address } = await opened()
  const there = await addressOnBase(address)
  await cancelPayment(deps, tenant, { id: payment.id })
  for (const at of [address, there]) await comesTo(at, '5')
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', receivedAmount: '10' })
})
