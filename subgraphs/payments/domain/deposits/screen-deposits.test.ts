import { renameSync } from 'node:fs'
import { encodeFunctionData, erc20Abi, parseUnits, type Address, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { sandboxTokenAbi } from '../../../../sandbox/anvil/seed.js'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { act } from '../../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { walletList } from '../../../../test/harness/wallet-list.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import type { Payment } from '../../store/payment.entity.js'
import { openAddress } from './open-address.js'

const list = await walletList()
const harness = await startSettlementHarness({ screening: { listFile: list.path, oracles: {} } })
const { anvil, deps, tenant } = harness
await anvil.setBalance({ address: harness.options.gasPayerSigner.address, value: 10n ** 20n })
const USDT = harness.chain.tokens['USDT']?.address as Address
const DUE = '18.450185'

async function opened(receiver: Hex): Promise<{ payment: Payment; address: Address }> {
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  const { id: paymentId } = await checkoutPayment(harness, { splitPaymentConfig })
  const payment = await openAddress(deps, tenant, { paymentId, chainName: 'polygon' })
  const [[address] = []] = await deps.addresses.ofPayments(tenant.id, [paymentId])
  if (!address) throw new Error('there is no address')
  return { payment, address: address.address }
}

/** Somebody with a wallet of his own sends it. */
async function sendFrom(sender: Address, to: Address): Promise<void> {
  const mint = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args: [sender, parseUnits(DUE, 6)] })
  await act({ anvil }, { from: MINTER, to: USDT, data: mint })
  await anvil.setBalance({ address: sender, value: 10n ** 18n })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(DUE, 6)] })
  await act({ anvil }, { from: sender, to: USDT, data })
}

async function pass(times = 3): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await anvil.mine({ blocks: 1 })
    await harness.goOn(1)
  }
}

it('does not share out what a wallet on a list has sent to an address, until an operator lets it', async () => {
  const [sender, receiver] = [harness.newReceiver(), harness.newReceiver()]
  const { payment, address } = await opened(receiver)
  list.refuse(sender)
  await sendFrom(sender, address)
  await pass()
  const refused = { status: 'error', dataError: { code: 'wallet_refused' }, receivedAmount: null, tidHash: null }
  expect(await presentOf(harness, payment)).toMatchObject(refused)
  expect(JSON.stringify(await presentOf(harness, payment)).toLowerCase()).not.toContain(sender.toLowerCase())
  expect(await deps.alerts.list()).toContainEqual(
    expect.objectContaining({ kind: 'deposit_refused', subject: payment.id }),
  )
  expect(await harness.balanceOf(receiver)).toBe(0n)
  expect(await runLedger(harness, 'release-deposits', payment.id)).toBe(0)
  expect(await runLedger(harness, 'release-deposits', payment.id)).toBe(1)
  await pass(8)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', receivedAmount: DUE })
  expect(await harness.balanceOf(receiver)).toBe(parseUnits(DUE, 6))
})

it('does not open an address, and shares nothing out, for a receiver who is on a list', async () => {
  const receiver = harness.newReceiver()
  const { payment, address } = await opened(receiver)
  list.refuse(receiver)
  await expect(opened(receiver)).rejects.toMatchObject({ code: 'wallet_refused' })
  await sendFrom(harness.newReceiver(), address)
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'wallet_refused' } })
  expect(await harness.balanceOf(receiver)).toBe(0n)
})

it('counts nothing while nobody can say who may pay', async () => {
  const receiver = harness.newReceiver()
  const { payment, address } = await opened(receiver)
  renameSync(list.path, `${list.path}.gone`)
  await sendFrom(harness.newReceiver(), address)
  await pass()
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', receivedAmount: null })
  renameSync(`${list.path}.gone`, list.path)
  await pass(8)
  expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
})
