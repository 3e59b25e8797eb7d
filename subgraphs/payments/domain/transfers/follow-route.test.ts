import { encodeFunctionData, erc20Abi, parseEther, parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { JobRequest } from '../../../../kernel/jobs.js'
import { presentOf, startPix } from '../../fixtures/pix-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { receivedFromRouter } from '../../rails/crypto/receive.js'
import type { RouteProgress } from '../../router/router.js'
import { followRoute } from './follow-route.js'
import { minedReceipt } from '../../../../sandbox/anvil/mined-receipt.js'

const harness = await startSettlementHarness()

/** Sends a transaction of the treasury's account, as the account of a bridge would. */
async function act(to: Hex, { data = '0x', value = 0n }: { data?: Hex; value?: bigint }) {
  const hash = await harness.anvil.sendUnsignedTransaction({ from: harness.treasury, to, data, value })
  return minedReceipt(harness.anvil, hash)
}

async function payTokens(to: Hex, amount: string): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, parseUnits(amount, 6)] })
  return (await act(harness.chain.tokens['USDT']?.address ?? '0x', { data })).transactionHash
}

let routes = 0

/** A payment of 18.45 USDT whose payer has paid on another chain. */
async function routedPayment() {
  const receiver = harness.newReceiver()
  const payment = await checkoutPayment(harness, {
    splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
  })
  const tidHash = `0x${(routes += 1).toString(16).padStart(64, '0')}`
  await harness.deps.payments.change(payment.tenantId, payment.id, () =>
    Promise.resolve({
      change: { status: 'pending', chainName: 'base', amountTo: '18.45', transactionType: 'crypto', tidHash },
      cause: 'payer_paid',
      notify: false,
    }),
  )
  const planned: JobRequest[] = []
  const addJobNow = (job: JobRequest) => Promise.resolve(void planned.push(job))
  const follow = (progress: RouteProgress) =>
    followRoute(
      { ...harness.deps, addJobNow, router: { ...harness.deps.router, status: () => Promise.resolve(progress) } },
      { tenantId: payment.tenantId, paymentId: payment.id, hash: tidHash },
    )
  /** In how many seconds it is looked at again. */
  const nextLook = () => Math.round(((planned.at(-1)?.runAt?.getTime() ?? NaN) - harness.clock.now().getTime()) / 1000)
  return { payment, receiver, follow, nextLook }
}

const alertsOf = async (id: string) =>
  (await harness.deps.alerts.list()).filter(({ kind, subject }) => kind === 'route_unproved' && subject === id)

describe('a route that its router calls done', () => {
  it('is a success where the destination’s chain shows the transfer', async () => {
    const { payment, receiver, follow } = await routedPayment()
    await follow({ status: 'done', receivingTxHash: await payTokens(receiver, '18.45') })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
  })

  it.each([
    ['nothing', () => Promise.resolve(undefined)],
    ['a transfer to somebody else', () => payTokens(harness.newReceiver(), '18.45')],
    ['a smaller transfer', (receiver: Hex) => payTokens(receiver, '18.44')],
    ['another coin', async (receiver: Hex) => (await act(receiver, { value: parseEther('19') })).transactionHash],
  ])('waits for an operator where the chain shows %s', async (_what, pay) => {
    const { payment, receiver, follow } = await routedPayment()
    const receivingTxHash = await pay(receiver)
    await follow({ status: 'done', ...(receivingTxHash && { receivingTxHash }) })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await alertsOf(payment.id)).toHaveLength(1)
  })

  it('is waited for while the chain does not know the transfer', async () => {
    const { payment, follow } = await routedPayment()
    await follow({ status: 'done', receivingTxHash: `0x${'ab'.repeat(32)}` })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await alertsOf(payment.id)).toEqual([])
  })
})

describe('a route that its router calls ended otherwise', () => {
  it('in another token takes no money again, and an operator is told', async () => {
    const { payment, follow } = await routedPayment()
    await follow({ status: 'partial', substatus: 'PARTIAL', receivingTxHash: '0xabcd' })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'route_partial' } })
    await harness.runJobs()
    const details = expect.stringMatching(/partial \(PARTIAL\) with 0xabcd$/) as string
    expect(await alertsOf(payment.id)).toEqual([expect.objectContaining({ details })])
    await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
  })

  it.each([
    ['failed', 1],
    ['refunded', 0],
  ] as const)('by %s is an error, of which so many alerts tell: %i', async (status, alerts) => {
    const { payment, follow } = await routedPayment()
    await follow({ status })
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: `route_${status}` } })
    await harness.runJobs()
    expect(await alertsOf(payment.id)).toHaveLength(alerts)
  })
})

describe('a route of which nothing is heard', () => {
  it('is asked about rarer and rarer, and an operator is told once', async () => {
    const { payment, receiver, follow, nextLook } = await routedPayment()
    await follow({ status: 'not_found' })
    expect(nextLook()).toBe(5)
    await harness.advance(3_600)
    await follow({ status: 'pending' })
    expect(nextLook()).toBe(300)
    expect(await alertsOf(payment.id)).toEqual([])
    await harness.advance(86_400)
    for (let times = 0; times < 2; times += 1) await follow({ status: 'not_found' })
    expect(nextLook()).toBe(300)
    expect(await alertsOf(payment.id)).toMatchObject([{ count: 1 }])
    await follow({ status: 'done', receivingTxHash: await payTokens(receiver, '18.45') })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await alertsOf(payment.id)).toEqual([])
  })
})

describe('native coin from a router on the same chain', () => {
  it('has come only where the receiver’s balance grew by it', async () => {
    const [receiver, other] = [harness.newReceiver(), harness.newReceiver()]
    const asset = { kind: 'native', decimals: 18 } as const
    const client = harness.deps.evmClient(harness.chain)
    const expected = { asset, address: receiver, amount: parseEther('2') }
    expect(await receivedFromRouter(client, await act(receiver, { value: parseEther('2') }), expected)).toBe(true)
    expect(await receivedFromRouter(client, await act(receiver, { value: parseEther('1.9') }), expected)).toBe(false)
    expect(await receivedFromRouter(client, await act(other, { value: parseEther('2') }), expected)).toBe(false)
  })
})

describe('a transaction', () => {
  it('is given to one payment only', async () => {
    const broadcast = {
      tenantId: harness.tenant.id,
      hash: `0x${'cd'.repeat(32)}`,
      chainName: 'polygon',
      raw: '0x',
      payer: null,
      state: 'final' as const,
      mayBeSent: false,
      createdAt: harness.clock.now(),
    }
    const add = async () => {
      const { id } = await checkoutPayment(harness)
      await harness.deps.payments.change(harness.tenant.id, id, (_payment, em) => {
        harness.deps.broadcasts.add(em, {
          ...broadcast,
          paymentId: id,
          checkAt: null,
          missingSince: null,
          refusedSince: null,
        })
        return Promise.resolve(undefined)
      })
    }
    await add()
    await expect(add()).rejects.toThrow(/relay_chain_name_hash/)
  })
})
