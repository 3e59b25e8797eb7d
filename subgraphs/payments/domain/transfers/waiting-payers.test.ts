import { encodeAbiParameters, keccak256, pad, parseEther, parseUnits, toHex, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { wholePool } from '../../../../test/harness/evm-node-pool.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { cryptoInput, signPayment } from '../../fixtures/crypto-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'
import { resumeBroadcast } from './resume-broadcast.js'
import type { LookingJob } from './transfer-jobs.js'

const harness = await startSettlementHarness({ confirmations: 3 })
const { anvil, deps } = harness
await anvil.setBalance({ address: harness.options.gasPayerSigner.address as Address, value: parseEther('100') })

/** A request that may not wait as long as it would. */
const hurried = { ...deps, isStopping: () => true }

/** What nodes were asked since then, each call of a batch by itself. */
let asked: string[] = []
const count = ({ method }: { method: string }): boolean => {
  asked.push(method)
  return false
}
harness.pool.refuses = count

afterEach(async () => {
  Object.assign(harness.pool, wholePool(), { refuses: count })
  await anvil.setAutomine(true)
})

async function askedIn(work: () => Promise<unknown>): Promise<string[]> {
  asked = []
  await work()
  return asked
}

/** A payment that a wallet of its own is to pay, and what that has signed. */
async function signed(receivers = 1) {
  const payer = privateKeyToAccount(generatePrivateKey())
  await anvil.setBalance({ address: payer.address, value: parseEther('10') })
  // The token's balances: the mapping at slot 0 (OpenZeppelin ERC20).
  const index = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [payer.address, 0n]))
  const token = harness.chain.tokens['USDT']?.address as Address
  await anvil.setStorageAt({ address: token, index, value: pad(toHex(parseUnits('1000', 6))) })
  const splitPaymentConfig = Array.from({ length: receivers }, () => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent: 100 / receivers,
  }))
  const registered = await checkoutPayment(harness, { splitPaymentConfig })
  const payment = await createTransaction(deps, harness.tenant, cryptoInput(registered, payer.address))
  const sign = (changes = {}): Promise<Hex> => signPayment(payer, payment, changes)
  return { payment, raw: await sign(), sign }
}

/** Payments whose transactions nodes have taken; no block has one. */
async function waiting(payers: number) {
  await anvil.setAutomine(false)
  const all: Awaited<ReturnType<typeof signed>>[] = []
  for (let made = 0; made < payers; made += 1) all.push(await signed())
  const handIn = ({ payment, raw }: (typeof all)[number]) =>
    executeOnChain(hurried, harness.tenant, { paymentId: payment.id, signedTransaction: raw })
  const answers = await Promise.all(all.map(handIn))
  expect(answers.filter(({ settled }) => settled)).toEqual([])
  const jobs = all.map(({ payment, raw }) => ({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    hash: keccak256(raw),
  }))
  return {
    all,
    jobs,
    /** The job of each looks once, all at the same time. */
    look: async (): Promise<void> => {
      await harness.advance(1)
      await Promise.all(jobs.map((job) => resumeBroadcast(deps, job)))
    },
  }
}

/** The wallet's same call with higher fees takes its place, in a block that is old enough. */
async function overtaken({ payment, sign }: Awaited<ReturnType<typeof signed>>): Promise<Hex> {
  if (payment.unsignedTransaction?.family !== 'evm') throw new Error('nothing to sign')
  const { maxFeePerGas } = payment.unsignedTransaction.transactionRequest
  const faster = await sign({ maxFeePerGas: BigInt(maxFeePerGas) * 2n, maxPriorityFeePerGas: BigInt(maxFeePerGas) })
  await anvil.sendRawTransaction({ serializedTransaction: faster })
  await anvil.mine({ blocks: 3 })
  return keccak256(faster)
}

describe('payers who wait for a block', () => {
  it.each([1, 60])(
    'cost the same calls a block with their jobs at work, %s of them',
    { timeout: 120_000 },
    async (payers) => {
      const { all, look } = await waiting(payers)
      // Once, what an older block may have: nobody's here.
      for (let seen = 0; seen < payers; seen += 50) await look()
      /** So many looks go by meanwhile: the watch makes one in each quarter of a second, besides those at its ends and one under way. */
      const looksIn = async (methods: readonly string[]) => {
        // However long a busy machine takes, none is overdue.
        await harness.query('update payments.relay set created_at = $1', [harness.clock.now()])
        const startedMs = performance.now()
        const calls = await askedIn(look)
        const most = 3 + Math.floor((performance.now() - startedMs) / 250)
        expect(calls.filter((method) => !methods.includes(method))).toEqual([])
        for (const method of methods) expect(calls.filter((one) => one === method).length).toBeLessThanOrEqual(most)
      }
      await looksIn(['eth_getBlockByNumber'])
      await anvil.mine({ blocks: 1 })
      await looksIn(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
      await looksIn(['eth_getBlockByNumber'])
      await anvil.mine({ blocks: 2 })
      await looksIn(['eth_getBlockByNumber'])
      for (const { payment } of all) expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    },
  )

  it('are asked about alone once one is overdue, which finds what has taken its place', async () => {
    const {
      all: [one],
      look,
    } = await waiting(1)
    if (!one) throw new Error('nobody waits')
    const tidHash = await overtaken(one)
    await look()
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'pending' })
    await harness.advance(30)
    await look()
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'success', tidHash })
  })

  it('are asked about alone again soon where nodes were away when one was overdue', async () => {
    const {
      all: [one],
      jobs: [job],
    } = await waiting(1)
    if (!one || !job) throw new Error('nobody waits')
    const tidHash = await overtaken(one)
    await harness.advance(1_000)
    const planned: JobRequest[] = []
    const planning = {
      ...deps,
      addJobNow: (next: JobRequest) => {
        planned.push(next)
        return Promise.resolve()
      },
    }
    harness.pool.isCut = () => true
    await resumeBroadcast(planning, job)
    Object.assign(harness.pool, wholePool())
    const [next] = planned
    expect(next?.runAt?.getTime()).toBeLessThanOrEqual(harness.clock.now().getTime() + 60_000)
    await harness.advance(60)
    await resumeBroadcast(planning, next?.payload as LookingJob)
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'success', tidHash })
  })
})

describe('a split whose sharing out waits for its block', () => {
  it('costs no call of its own until then', async () => {
    const { payment, raw } = await signed(2)
    await executeOnChain(hurried, harness.tenant, { paymentId: payment.id, signedTransaction: raw })
    await anvil.mine({ blocks: 2 })
    const sentFor = (kind: string) =>
      harness.query('select 1 from payments.operator_transaction where purpose = $1', [`split:${payment.id}:${kind}`])
    await until('it is deployed', async () => {
      await harness.goOn(1)
      return (await sentFor('deploy')).length > 0
    })
    await anvil.setAutomine(false)
    await until('it is shared out', async () => {
      await harness.goOn(1)
      return (await sentFor('distribute')).length > 0
    })
    await harness.goOn(1)
    const step = () => deps.settleStep(payment)
    const onlyHead = async (): Promise<void> => {
      await harness.advance(1)
      expect(new Set(await askedIn(step))).toEqual(new Set(['eth_getBlockByNumber']))
    }
    await onlyHead()
    await anvil.mine({ blocks: 1 })
    await harness.advance(1)
    expect(await step()).toEqual({ kind: 'waiting' })
    await onlyHead()
    await anvil.mine({ blocks: 2 })
    await harness.advance(1)
    expect(await step()).toMatchObject({ kind: 'done' })
  })
})

describe('a transaction that is handed in by its hash before any node knows it', () => {
  const handIn = (payment: Payment, raw: Hex) =>
    executeOnChain(hurried, harness.tenant, { paymentId: payment.id, txHash: keccak256(raw) })

  it('is asked for ever more rarely', async () => {
    const { payment, raw } = await signed()
    const calls = await askedIn(() =>
      expect(handIn(payment, raw)).rejects.toMatchObject({ code: 'broadcast_confirmation_timeout' }),
    )
    expect(calls.filter((method) => method === 'eth_getTransactionByHash').length).toBeLessThanOrEqual(5)
  })

  it('is found and confirmed within one time', async () => {
    const { payment, raw } = await signed()
    await anvil.setAutomine(false)
    await anvil.sendRawTransaction({ serializedTransaction: raw })
    const startedMs = performance.now()
    const passedMs = () => performance.now() - startedMs
    harness.pool.change = (method, result) =>
      method === 'eth_getTransactionByHash' && passedMs() < 1_700 ? null : result
    expect(await handIn(payment, raw)).toMatchObject({ tidHash: keccak256(raw), settled: false })
    // A request has two seconds left when its process stops, and not two more once the transaction is found.
    expect(passedMs()).toBeGreaterThan(1_700)
    expect(passedMs()).toBeLessThan(3_500)
  })
})
