import { parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it } from 'vitest'
import { startEvmPool, type EvmPool } from '../../../chaos/nodes/evm-pool.js'
import { atEnd } from '../../../test/harness/at-end.js'
import { startRpcProxy } from '../../../test/harness/rpc-proxy.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { createTransaction } from '../domain/create-transaction.js'
import { executeOnChain } from '../domain/transfers/execute-on-chain.js'
import { cryptoInput, signPayment } from '../fixtures/crypto-payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'

let pool: EvmPool | undefined
const harness = await startSettlementHarness({
  confirmations: 2,
  /** Two nodes of the chain, and between them one of another. */
  addresses: async (rpcUrl) => {
    pool = await startEvmPool({ rpcUrl, nodes: 2 })
    atEnd(() => pool?.close())
    const foreign = await startRpcProxy(rpcUrl)
    foreign.onCall = ({ method }) => (method === 'eth_chainId' ? { answer: { result: '0x1' } } : 'pass')
    const [first, second] = pool.nodes
    return [first?.url ?? '', foreign.url, second?.url ?? '']
  },
})
await harness.anvil.mine({ blocks: 10 })
await harness.anvil.setIntervalMining({ interval: 1 })

afterEach(() => {
  for (const { faults } of pool?.nodes ?? []) faults.clear()
})

const to = (receiver: string) => ({ splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }] })

describe('with three addresses, of which one is of another chain', () => {
  it.each([
    ['lags', 'lag', { blocks: 3 }],
    ['limits its calls', 'limit', {}],
    ['answers a page of errors', 'error', { status: 503 }],
    ['has forgotten every transaction', 'forget', {}],
    ['loses every transaction', 'swallow', {}],
  ])('and the first one %s, a payout and a payer arrive, once', async (_what, kind, details) => {
    pool?.nodes[0]?.faults.begin({ kind, details })
    const before = await harness.transactionCount()
    const receivers = [harness.newReceiver(), harness.newReceiver()] as const
    const payer = privateKeyToAccount(harness.treasuryKey)
    const registered = await checkoutPayment(harness, to(receivers[0]))
    const payment = await createTransaction(harness.deps, harness.tenant, cryptoInput(registered, payer.address))
    const signedTransaction = await signPayment(payer, payment)
    const input = { paymentId: payment.id, signedTransaction }
    expect(await executeOnChain(harness.deps, harness.tenant, input)).toMatchObject({ settled: true })
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })

    const charged = await chargedPayment(harness, to(receivers[1]))
    await payAndProcess(harness, charged.txid)
    const paidOut = await untilEnded(harness, charged.payment, () => harness.anvil.mine({ blocks: 1 }))
    expect(paidOut).toMatchObject({ status: 'success' })
    expect(await Promise.all(receivers.map(harness.balanceOf))).toEqual(
      [payment, paidOut].map(({ amountTo }) => parseUnits(amountTo ?? '', 6)),
    )
    expect(await harness.transactionCount()).toBe(before + 2)
  })
})
