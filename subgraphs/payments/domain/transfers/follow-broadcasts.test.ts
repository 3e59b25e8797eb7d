import { parseUnits, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { AppError } from '../../../../kernel/errors.js'
import { followBroadcasts } from './follow-broadcasts.js'
import { followFinality, startFollowing } from './follow-finality.js'
import type { Payment } from '../../store/payment.entity.js'
import type { OnChain } from '../../rails/on-chain.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'
import { resumeBroadcast } from './resume-broadcast.js'

const FINALITY_BLOCKS = 20

const harness = await startSettlementHarness({ finalityBlocks: FINALITY_BLOCKS })
const operator = harness.options.gasPayerSigner.address
await harness.anvil.setBalance({ address: operator, value: 10n ** 20n })

/** A payer with coins and tokens. */
const payer = () => privateKeyToAccount(harness.treasuryKey)

async function built(percents: readonly number[]): Promise<{ payment: Payment; receivers: Hex[] }> {
  const receivers = percents.map(() => harness.newReceiver())
  const splitPaymentConfig = percents.map((receiverPercent, index) => ({
    receiverWallet: receivers[index] ?? '',
    receiverPercent,
  }))
  const registered = await checkoutPayment(harness, { splitPaymentConfig })
  const input = cryptoInput(registered, payer().address)
  const payment = await createTransaction(harness.deps, harness.tenant, input)
  return { payment, receivers }
}

const sign = (payment: Payment, changes: { value?: bigint; data?: Hex; nonce?: number } = {}) =>
  signPayment(payer(), payment, changes)

/** A payment whose receivers have their money, and the block before it. */
async function paid(percents: readonly number[]) {
  const { payment, receivers } = await built(percents)
  const before = await harness.anvil.getBlockNumber()
  const raw = await sign(payment)
  await execute(payment, raw)
  await until('the payment succeeds', async () => {
    await harness.goOn(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
  return { payment, receivers, before }
}

/** As every minute. */
async function follow(): Promise<void> {
  await startFollowing(harness.deps)
  await harness.runJobs()
}

/** Drops all blocks after one; others take their place, with what is given. */
async function dropAfter(block: bigint, transactions: readonly [Hex, number][] = []): Promise<void> {
  const depth = Number((await harness.anvil.getBlockNumber()) - block)
  await harness.anvil.request({ method: 'anvil_reorg', params: [depth, transactions] } as never)
}
const balances = (receivers: readonly Hex[]) => Promise.all(receivers.map((receiver) => harness.balanceOf(receiver)))
const nonceOf = ({ unsignedTransaction: unsigned }: Payment) => {
  if (unsigned?.family !== 'evm') throw new Error('nothing was built for an EVM wallet')
  return unsigned.transactionRequest.nonce
}
const execute = ({ id }: Payment, signedTransaction: Hex) =>
  executeOnChain(harness.deps, harness.tenant, { paymentId: id, signedTransaction })
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

const polygon = () => {
  const chain = harness.options.settings.chains.find(({ name }) => name === 'polygon')
  if (!chain) throw new Error('no such chain')
  return chain
}
/** Whether nobody looks at what paid it any more. */
const isOver = async (payment: Payment): Promise<boolean> => {
  const { tenantId, id, tidHash } = await presentOf(harness, payment)
  return (await harness.deps.broadcasts.find(tenantId, id, tidHash ?? ''))?.checkAt === null
}

describe("a payer's transaction that is final", () => {
  it('is left to its own job where its receivers have not got all of it, and to nobody where they refuse it for a day', async () => {
    const split = await paid([60, 40])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    const refused = () => Promise.reject(new AppError('broadcast_rejected'))
    const look = async (seconds: number) => {
      await harness.advance(seconds)
      await followBroadcasts({ ...harness.deps, settleStep: refused }, polygon())
    }
    await look(60)
    expect(await isOver(split.payment)).toBe(false)
    await look(86_400)
    expect(await isOver(split.payment)).toBe(true)
    const waiting = await paid([60, 40])
    await harness.query(`update payments.payment set status = 'pending' where id = $1`, [waiting.payment.id])
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
    await look(60)
    expect(await isOver(waiting.payment)).toBe(true)
  })

  it('is looked at by one worker at a time', async () => {
    const { payment } = await paid([100])
    await harness.advance(60)
    const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<'waiting'>()]
    let looks = 0
    const finalityOf = (): Promise<'waiting'> => {
      looks += 1
      asked.resolve(undefined)
      return answered.promise
    }
    const evm = { ...(harness.deps.onChain.evm as OnChain), finalityOf }
    const deps = { ...harness.deps, onChain: { ...harness.deps.onChain, evm } }
    const first = followFinality(deps, { chainName: 'polygon' })
    await asked.promise
    await followFinality(deps, { chainName: 'polygon' })
    expect(looks).toBe(1)
    answered.resolve('waiting')
    await first
    expect(await isOver(payment)).toBe(false)
  })
})

describe("a payer's transaction that cannot be looked at to its end", () => {
  it.each(['broadcast_rejected', 'confirm_rpc_unavailable'] as const)(
    'keeps none behind it from its turn: %s',
    async (code) => {
      const [stuck, other] = [await paid([60, 40]), await paid([60, 40])]
      await harness.anvil.mine({ blocks: FINALITY_BLOCKS })
      await harness.advance(60)
      const settleStep: typeof harness.deps.settleStep = (payment) =>
        payment.id === stuck.payment.id ? Promise.reject(new AppError(code)) : harness.deps.settleStep(payment)
      const told = followBroadcasts({ ...harness.deps, settleStep }, polygon()).then(
        () => undefined,
        (error: unknown) => (error as AppError).code,
      )
      // What says that the chain cannot be asked is told after the others had their turn; a refused split is its own job's.
      expect(await told).toBe(code === 'confirm_rpc_unavailable' ? code : undefined)
      expect(await isOver(other.payment)).toBe(true)
    },
  )
})
