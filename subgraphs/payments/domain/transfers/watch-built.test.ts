import { encodeFunctionData, erc20Abi, parseUnits, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { sandboxTokenAbi } from '../../../../sandbox/anvil/seed.js'
import { MINTER } from '../../../../test/harness/evm-side.js'
import { act, mine } from '../../../../test/harness/evm.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { sum } from '../../../../kernel/money.js'
import { balanceIn, openDifferences } from '../../fixtures/books.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { chargeOf, payAndProcess, presentOf, startPix, untilEnded } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { bookedFor } from '../../fixtures/rows.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { readStatement } from '../read-statement.js'
import { startWatching, watchAddresses } from '../deposits/watch-addresses.js'
import { openAddress } from '../deposits/open-address.js'
import { endWalletAttempt } from './end-wallet-attempt.js'
import { executeOnChain } from './execute-on-chain.js'

/** 100 BRL. */
const PAID = '18.450185'

const harness = await startSettlementHarness()
const { anvil, deps, tenant } = harness
const token = harness.chain.tokens['USDT']?.address as Hex

async function mint(to: Hex, amount: string): Promise<void> {
  const args = [to, parseUnits(amount, 6)] as const
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args })
  await act({ anvil }, { from: MINTER, to: token, data })
}

/** A payer with a wallet of his own, who was asked to pay these receivers. */
async function asked(...receivers: Hex[]) {
  // What a wallet sends is looked for from then on, by the time of blocks.
  const { timestamp } = await anvil.getBlock()
  const behindSeconds = Math.ceil(harness.clock.now().getTime() / 1000) - Number(timestamp)
  if (behindSeconds > 0) await anvil.increaseTime({ seconds: behindSeconds })
  const payer = privateKeyToAccount(generatePrivateKey())
  await anvil.setBalance({ address: payer.address, value: 10n ** 18n })
  await mint(payer.address, '100')
  const receiverPercent = 100 / receivers.length
  const splitPaymentConfig = receivers.map((receiverWallet) => ({ receiverWallet, receiverPercent }))
  const registered = await checkoutPayment(harness, { splitPaymentConfig })
  const payment = await createTransaction(deps, tenant, cryptoInput(registered, payer.address))
  return { payment, raw: await signPayment(payer, payment), payer }
}

/** The payer leaves his wallet and pays by Pix, and the receivers are paid. */
async function paysByPix(payment: Payment): Promise<void> {
  await endWalletAttempt(deps, tenant, { id: payment.id })
  await payAndProcess(harness, (await chargeOf(harness, await startPix(harness, payment))).reference)
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: null })
}

/** A payment whose wallet has paid nothing, whose address is watched no longer, and which a Pix has paid. */
async function paidByPixBesideItsAddress() {
  const { payment, raw } = await asked(harness.newReceiver(), harness.newReceiver())
  await openAddress(deps, tenant, { paymentId: payment.id, chainName: 'polygon' })
  await paysByPix(payment)
  await harness.query(
    `update payments.payment_address set watch_until = $1, expires_at = 'epoch' where payment_id = $2`,
    [harness.clock.now().toISOString(), payment.id],
  )
  return { payment, raw }
}

const endWatch = ({ id }: Payment) =>
  harness.query('update payments.payment_address set last_read_block = 0 where payment_id = $1', [id])

/** What is looked at after some minutes. */
async function later(): Promise<void> {
  await harness.goOn(301)
  await harness.goOn(3)
}

/** The chain moves on, and the addresses of payments are looked at. */
async function look(): Promise<void> {
  await startWatching(deps)
  await anvil.mine({ blocks: 2 })
  await harness.goOn(1)
}

async function untilShared(payment: Payment): Promise<void> {
  for (let time = 0; time < 40; time += 1) {
    await look()
    if ((await presentOf(harness, payment)).status === 'success') return
  }
}

const alertsOn = async ({ id }: Payment) =>
  (await deps.alerts.list()).filter(({ subject }) => subject === id).map(({ kind }) => kind)
const balanceOf = (account: string) => balanceIn(deps, account, 'USDT')

describe('a wallet’s transaction that nobody has handed in', () => {
  it('pays the payment that its payer has left open', async () => {
    const receiver = harness.newReceiver()
    const { payment, raw } = await asked(receiver)
    const { transactionHash } = await mine({ anvil }, raw)
    await later()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash: transactionHash })
    expect(await alertsOn(payment)).toEqual([])
  })

  it('is a second payment where a Pix has paid: booked once, and told to tenant and operator', async () => {
    const receiver = harness.newReceiver()
    const { payment, raw } = await asked(receiver)
    await paysByPix(payment)
    await later()
    expect(await alertsOn(payment)).toEqual([])
    const { transactionHash } = await mine({ anvil }, raw)
    await later()
    await later()
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    const history = await deps.payments.history(tenant.id, payment.id)
    expect(history.filter(({ cause, notify }) => cause === 'paid_twice' && notify)).toHaveLength(1)
    const entry = `wallet:paid:${transactionHash}`
    const lines = await harness.query('select account from payments.ledger_line where entry = $1', [entry])
    expect(lines.map(({ account }) => account).sort()).toEqual(['passthrough:polygon', 'tenant'])
    const filter = { from: '2000-01-01', first: 10 }
    const { edges } = await readStatement(deps, tenant, { ...filter, rail: 'crypto', receiver })
    expect(edges.map(({ node }) => node)).toMatchObject([
      { entry: `wallet:0:${transactionHash}`, rail: 'crypto', receiver, transactionHash, amount: `-${PAID}` },
    ])
    const byPix = await readStatement(deps, tenant, { ...filter, rail: 'pix' })
    expect(byPix.edges.filter(({ node: { kind } }) => kind === 'wallet')).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
    expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
  })

  it('to the address of a split is held there after a Pix has paid, until an operator has shared it out', async () => {
    const receivers = [harness.newReceiver(), harness.newReceiver()]
    const { payment, raw } = await asked(...receivers)
    await paysByPix(payment)
    await mine({ anvil }, raw)
    await later()
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    expect(await balanceOf('suspense:polygon')).toBe(`-${PAID}`)
    expect(await balanceOf('deposits:polygon')).toBe(PAID)
    // Nothing was shared out a second time.
    const held = await Promise.all(receivers.map((receiver) => harness.balanceOf(receiver)))
    expect(held.reduce((sum, units) => sum + units, 0n)).toBe(parseUnits(PAID, 6))
    const [found] = await openDifferences(deps)
    expect(found).toMatchObject({ kind: 'held_deposit', actual: PAID, currency: 'USDT' })
    const resolved = await runLedger(harness, 'resolve', found?.id ?? '', '--reason', 'distributed by hand')
    expect(resolved).toBe(0)
    expect(await balanceOf('suspense:polygon')).toBe('0')
    expect(await balanceOf('deposits:polygon')).toBe('0')
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is a second payment where the wallet has signed it with two nonces, once the first has paid', async () => {
    const receiver = harness.newReceiver()
    const { payment, raw, payer } = await asked(receiver)
    await mine({ anvil }, raw)
    await executeOnChain(deps, tenant, { paymentId: payment.id, signedTransaction: raw })
    await mine({ anvil }, await signPayment(payer, payment, { nonce: 1 }))
    await later()
    await later()
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('to the address of a split at which it was counted is no second payment', async () => {
    await anvil.setBalance({ address: harness.options.gasPayerSigner.address, value: 10n ** 20n })
    const before = await balanceOf('deposits:polygon')
    const { payment, raw } = await asked(harness.newReceiver(), harness.newReceiver())
    await openAddress(deps, tenant, { paymentId: payment.id, chainName: 'polygon' })
    const { transactionHash } = await mine({ anvil }, raw)
    await untilShared(payment)
    await later()
    await later()
    const paid = { status: 'success', tidHash: transactionHash, overpaidAmount: null }
    expect(await presentOf(harness, payment)).toMatchObject(paid)
    // Its page hands it in when its payer comes back.
    const handedIn = await executeOnChain(deps, tenant, { paymentId: payment.id, txHash: transactionHash })
    expect(handedIn).toEqual({ id: payment.id, tidHash: transactionHash, settled: true })
    expect(await alertsOn(payment)).toEqual([])
    expect(await balanceOf('deposits:polygon')).toBe(before)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it.each(['is over', 'was ended'])('to an address whose watch %s is held, and told, once', async (state) => {
    const before = await balanceOf('deposits:polygon')
    const { payment, raw } = await paidByPixBesideItsAddress()
    const ended = state === 'was ended'
    if (ended) await endWatch(payment)
    await harness.advance(60)
    await mine({ anvil }, raw)
    await later()
    await look()
    await harness.query(`update payments.payment_address set look_back_at = 'epoch' where payment_id = $1`, [
      payment.id,
    ])
    await anvil.mine({ blocks: 2 })
    for (let time = 0; time < 2; time += 1) await watchAddresses(deps, { chainName: 'polygon', scope: 'all' })
    await harness.runJobs()
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    expect(await balanceOf('deposits:polygon')).toBe(sum([before, PAID]))
    const [[address] = []] = await deps.addresses.ofPayments(tenant.id, [payment.id])
    expect(address).toMatchObject({ laidBefore: ended ? parseUnits(PAID, 6) : 0n })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is a second payment where what has come to the payment’s address is being shared out', async () => {
    const gasPayer = harness.options.gasPayerSigner.address
    await anvil.setBalance({ address: gasPayer, value: 0n })
    const receiver = harness.newReceiver()
    const { payment, raw } = await asked(receiver)
    await openAddress(deps, tenant, { paymentId: payment.id, chainName: 'polygon' })
    const [[address] = []] = await deps.addresses.ofPayments(tenant.id, [payment.id])
    await mint(address?.address as Hex, PAID)
    await look()
    const { tidHash } = await presentOf(harness, payment)
    expect(tidHash).not.toBeNull()
    await mine({ anvil }, raw)
    await later()
    await anvil.setBalance({ address: gasPayer, value: 10n ** 20n })
    await untilShared(payment)
    await harness.advance(3_600)
    await later()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', tidHash, overpaidAmount: PAID })
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
    expect((await bookedFor(harness, payment)).entries).toHaveLength(4)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is no second payment where the wallet has sent something else to the same receiver', async () => {
    const receiver = harness.newReceiver()
    const { payment, payer } = await asked(receiver)
    await paysByPix(payment)
    const args = [receiver, parseUnits(PAID, 6)] as const
    await act({ anvil }, { from: payer.address, to: token, data: transferData(args) })
    await later()
    expect(await alertsOn(payment)).toEqual([])
    expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: null })
  })

  it.each([20, 0])('to an address opened %i s after its block is held beside what has paid', async (seconds) => {
    const { payment, raw } = await asked(harness.newReceiver(), harness.newReceiver())
    await endWalletAttempt(deps, tenant, { id: payment.id })
    await mine({ anvil }, raw)
    await anvil.mine({ blocks: 2 })
    for (const scope of ['open', 'all'] as const) await watchAddresses(deps, { chainName: 'polygon', scope })
    await harness.advance(seconds)
    await openAddress(deps, tenant, { paymentId: payment.id, chainName: 'polygon' })
    await paysByPix(payment)
    await later()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    expect((await alertsOn(payment)).sort()).toEqual(['deposit_unexpected', 'paid_twice'])
    expect(await openDifferences(deps)).toContainEqual(expect.objectContaining({ kind: 'held_deposit', actual: PAID }))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('to an address whose watch is over is held, though it is looked for before that watch ends unread', async () => {
    const { payment, raw } = await paidByPixBesideItsAddress()
    await harness.advance(60)
    await mine({ anvil }, raw)
    await later()
    expect(await presentOf(harness, payment)).toMatchObject({ overpaidAmount: null })
    await endWatch(payment)
    await later()
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: PAID })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})

function transferData(args: readonly [Hex, bigint]): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
}

describe('what comes to the address of a payment that a Pix has paid', () => {
  it('is a second payment that is held there', async () => {
    const before = await balanceOf('deposits:polygon')
    const registered = await checkoutPayment(harness)
    const payment = await openAddress(deps, tenant, { paymentId: registered.id, chainName: 'polygon' })
    const [[address] = []] = await deps.addresses.ofPayments(tenant.id, [payment.id])
    await paysByPix(payment)
    await mint(address?.address as Hex, '7')
    await startWatching(deps)
    for (let time = 0; time < 3; time += 1) {
      await anvil.mine({ blocks: 2 })
      await harness.goOn(1)
    }
    expect(await alertsOn(payment)).toEqual(['paid_twice'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', overpaidAmount: '7' })
    expect(await balanceOf('deposits:polygon')).toBe(sum([before, '7']))
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})
