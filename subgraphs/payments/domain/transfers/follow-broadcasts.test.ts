import { parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { cryptoInput } from '../../fixtures/crypto-payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { FINALITY_BLOCKS, startWalletPayments } from '../../fixtures/wallet-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { resumeBroadcast } from './resume-broadcast.js'

const { harness, built, sign, execute, paid, follow, dropAfter } = await startWalletPayments()

const balances = (receivers: readonly Hex[]) => Promise.all(receivers.map((receiver) => harness.balanceOf(receiver)))
const nonceOf = ({ unsignedTransaction: unsigned }: Payment) => {
  if (unsigned?.family !== 'evm') throw new Error('nothing was built for an EVM wallet')
  return unsigned.transactionRequest.nonce
}
const openLooks = async () => {
  const [row] = await harness.query(`select (select count(*) from payments.relay where check_at is not null)
    + (select count(*) from payments.operator_transaction where check_at is not null) as open`)
  return Number(row?.['open'])
}

describe("a payer's transaction whose block the chain has dropped after its payment was told as paid", () => {
  it('is sent again in the same bytes, and looked at until it is final', async () => {
    const { payment, receivers, before } = await paid([100])
    const amount = parseUnits(payment.amountTo ?? '', 6)
    await dropAfter(before)
    expect(await balances(receivers)).toEqual([0n])
    await follow()
    await harness.anvil.mine({ blocks: 1 })
    expect(await balances(receivers)).toEqual([amount])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(60)
    await follow()
    expect(await openLooks()).toBe(0)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('is looked at also where the process died between telling of the payment and marking the transaction', async () => {
    const { payment, receivers, before } = await paid([100])
    const amount = parseUnits(payment.amountTo ?? '', 6)
    await harness.query(`update payments.relay set state = 'sent', check_at = null where payment_id = $1`, [payment.id])
    const [{ hash } = {}] = await harness.query('select hash from payments.relay where payment_id = $1', [payment.id])
    // The job that the death has left comes again.
    await resumeBroadcast(harness.deps, { tenantId: payment.tenantId, paymentId: payment.id, hash: String(hash) })
    await dropAfter(before)
    expect(await balances(receivers)).toEqual([0n])
    await follow()
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    expect(await balances(receivers)).toEqual([amount])
    await harness.goOn(60)
    await follow()
    expect(await openLooks()).toBe(0)
  })

  it('is shared out again where it paid a split', async () => {
    const { payment, receivers, before } = await paid([60, 40])
    const shares = await balances(receivers)
    expect(shares[0]).toBeGreaterThan(0n)
    await dropAfter(before)
    expect(await balances(receivers)).toEqual([0n, 0n])
    await follow()
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    for (let minute = 0; minute < 3; minute += 1) {
      await harness.goOn(60)
      await follow()
      await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    }
    expect(await balances(receivers)).toEqual(shares)
    expect(await openLooks()).toBe(0)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('is sent again before another is built for its payer, who would sign it with the same nonce', async () => {
    const first = await paid([100])
    await dropAfter(first.before)
    // The chain shows the nonce as free: what was dropped is known to nobody but us.
    const next = await built([100])
    expect(nonceOf(next.payment)).toBe(nonceOf(first.payment) + 1)
    await harness.anvil.mine({ blocks: 1 })
    expect(await balances(first.receivers)).toEqual([parseUnits(first.payment.amountTo ?? '', 6)])
  })

  it('lets nothing be built with its nonce while no node says that it took it again', async () => {
    const first = await paid([100])
    await dropAfter(first.before)
    harness.pool.refuses = ({ method }) =>
      method === 'eth_sendRawTransaction' && { code: -32000, message: 'txpool is full' }
    await expect(built([100])).rejects.toMatchObject({ code: 'provider_unavailable' })
    harness.pool.refuses = () => false
    expect(nonceOf((await built([100])).payment)).toBe(nonceOf(first.payment) + 1)
  })

  it('is told to an operator once no node has taken it for ten minutes, which keeps its payer from nothing, until it lands', async () => {
    const first = await paid([100])
    await dropAfter(first.before)
    const low = { code: -32000, message: 'transaction underpriced' }
    harness.pool.refuses = ({ method }) => method === 'eth_sendRawTransaction' && low
    await follow()
    await expect(built([100])).rejects.toMatchObject({ code: 'provider_unavailable' })
    const told = { kind: 'payment_undone', subject: first.payment.id }
    await harness.goOn(590)
    await follow()
    expect(await harness.deps.alerts.list()).toEqual([])
    await harness.goOn(300)
    await follow()
    expect(await harness.deps.alerts.list()).toEqual([expect.objectContaining(told)])
    expect(nonceOf((await built([100])).payment)).toBe(nonceOf(first.payment))
    harness.pool.refuses = () => false
    for (let look = 0; look < 2; look += 1) {
      await harness.goOn(301)
      await follow()
    }
    expect(await balances(first.receivers)).toEqual([parseUnits(first.payment.amountTo ?? '', 6)])
    expect(await harness.deps.alerts.list()).toEqual([])
    // What has come back may be gone once more, and is told once more.
    await dropAfter(first.before)
    harness.pool.refuses = ({ method }) => method === 'eth_sendRawTransaction' && low
    for (let look = 0; look < 4; look += 1) {
      await harness.goOn(301)
      await follow()
    }
    expect(await harness.deps.alerts.list()).toEqual([expect.objectContaining(told)])
    harness.pool.refuses = () => false
    await harness.goOn(301)
    await follow()
    await harness.goOn(301)
    await follow()
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('is not given up while a pool keeps it', async () => {
    const first = await paid([100])
    await harness.anvil.setAutomine(false)
    await dropAfter(first.before)
    // Too cheap for the next block, or of a node that shows none: only its pool knows it.
    harness.pool.refuses = ({ params }) => params[0] === 'pending'
    for (let look = 0; look < 4; look += 1) {
      await harness.goOn(301)
      await follow()
    }
    expect(await harness.deps.alerts.list()).toEqual([])
    harness.pool.refuses = () => false
    expect(nonceOf((await built([100])).payment)).toBe(nonceOf(first.payment) + 1)
    await harness.anvil.setAutomine(true)
    await harness.anvil.mine({ blocks: 1 })
    expect(await balances(first.receivers)).toEqual([parseUnits(first.payment.amountTo ?? '', 6)])
  })

  it('is not undone by what its payer signs with its nonce, nor does it keep him from paying', async () => {
    const first = await paid([100])
    const next = await built([100])
    await dropAfter(first.before)
    const stale = await sign(next.payment, { nonce: nonceOf(first.payment) })
    await expect(execute(next.payment, stale)).rejects.toMatchObject({ code: 'stale_transaction_nonce' })
    await follow()
    await execute(next.payment, await sign(next.payment))
    for (const { payment, receivers } of [first, next])
      expect(await balances(receivers)).toEqual([parseUnits(payment.amountTo ?? '', 6)])
    expect(await harness.deps.alerts.list()).toEqual([])
  })

  it('keeps nothing from being handed in late that the same wallet has sent before it', async () => {
    const [one, two] = [await built([100]), await built([100])]
    const raws = [await sign(one.payment), await sign(two.payment, { nonce: nonceOf(one.payment) + 1 })] as const
    for (const serializedTransaction of raws) await harness.anvil.sendRawTransaction({ serializedTransaction })
    expect(await execute(two.payment, raws[1])).toMatchObject({ settled: true })
    expect(await execute(one.payment, raws[0])).toMatchObject({ settled: true })
  })

  it('is told to an operator where another transaction of the payer took its nonce', async () => {
    const { payment, receivers, before } = await paid([100])
    await dropAfter(before, [[await sign(payment, { data: '0x', value: 1n }), 0]])
    await follow()
    // That may be dropped as well.
    expect(await harness.deps.alerts.list()).toEqual([])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(60)
    await follow()
    expect(await harness.deps.alerts.list()).toContainEqual(
      expect.objectContaining({ kind: 'payment_undone', subject: payment.id }),
    )
    expect(await balances(receivers)).toEqual([0n])
  })
})

const looksLeft = ({ id }: Payment) =>
  harness.query('select key from graphile_worker._private_jobs where key like $1', [`watch-given-up:${id}:%`])

describe("a payer's transaction that was reverted in a block", () => {
  /** Its payment is told as failed; the wallet has the tokens back after that. */
  async function reverted() {
    const { payment, receivers } = await built([100])
    const raw = await sign(payment)
    const before = await harness.anvil.getBlockNumber()
    const held = await harness.setTreasuryUnits(0n)
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await harness.anvil.mine({ blocks: 1 })
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'payment_failed' })
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'transaction_reverted' } })
    await harness.setTreasuryUnits(held)
    return { payment, receivers, raw, before, held }
  }
  it('pays where the chain has dropped that block and another one has it', async () => {
    const { payment, receivers, raw, before, held } = await reverted()
    await dropAfter(before)
    await harness.setTreasuryUnits(held)
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    expect(await balances(receivers)).toEqual([parseUnits(payment.amountTo ?? '', 6)])
    await harness.goOn(301)
    await harness.goOn(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', dataError: null })
    expect(await execute(payment, raw)).toMatchObject({ settled: true })
  })

  it('stays failed, and is looked for no more once that block is final', async () => {
    const { payment, raw } = await reverted()
    expect(await looksLeft(payment)).toHaveLength(1)
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(301)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
    expect(await looksLeft(payment)).toEqual([])
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'payment_failed' })
  })
})

describe("a payer's transaction that moved something else in a block", () => {
  const token = harness.chain.tokens['USDT']?.address as Hex
  /** A contract that says yes and moves nothing. */
  const IDLE = '0x600160005260206000f3'

  /** Its payment is told as failed; the token moves what it is asked to after that. */
  async function missed() {
    const { payment, receivers } = await built([100])
    const raw = await sign(payment)
    const before = await harness.anvil.getBlockNumber()
    const bytecode = (await harness.anvil.getCode({ address: token })) ?? '0x'
    const mend = () => harness.anvil.setCode({ address: token, bytecode })
    await harness.anvil.setCode({ address: token, bytecode: IDLE })
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await harness.anvil.mine({ blocks: 1 })
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'payment_failed' })
    await mend()
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'transfer_mismatch' } })
    return { payment, receivers, raw, before, mend }
  }

  it('pays where the chain has dropped that block and another one has it', async () => {
    const { payment, receivers, raw, before, mend } = await missed()
    await dropAfter(before)
    await mend()
    await harness.anvil.sendRawTransaction({ serializedTransaction: raw })
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    expect(await balances(receivers)).toEqual([parseUnits(payment.amountTo ?? '', 6)])
    await harness.goOn(301)
    await harness.goOn(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success', dataError: null })
    expect(await execute(payment, raw)).toMatchObject({ settled: true })
  })

  it('stays failed, tells nobody anew, and is looked for no more once that block is final', async () => {
    const { payment, raw } = await missed()
    const { sequence } = await presentOf(harness, payment)
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'payment_failed' })
    await harness.goOn(301)
    expect(await looksLeft(payment)).toHaveLength(1)
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await harness.goOn(6 * 3_600)
    expect(await looksLeft(payment)).toEqual([])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', sequence })
  })

  it('takes nothing from what its payer is asked for after it', async () => {
    const { payment, raw } = await missed()
    const input = cryptoInput(payment, payment.payerWallet as Hex)
    const next = await createTransaction(harness.deps, harness.tenant, input)
    await harness.goOn(301)
    await expect(execute(payment, raw)).rejects.toMatchObject({ code: 'invalid_payment_status' })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', quoteId: next.quoteId })
    expect(await execute(next, await sign(next))).toMatchObject({ id: payment.id })
  })
})
