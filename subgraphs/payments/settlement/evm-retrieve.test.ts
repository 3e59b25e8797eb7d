import { encodeAbiParameters, encodeEventTopics, isAddressEqual, numberToHex, size, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createEvmClient } from '../../../chains/evm/client.js'
import { payBatchCall, payoutBatchAbi, payoutBatchAddress } from '../../../chains/evm/payout-batch.js'
import { MINTER } from '../../../test/harness/evm-side.js'
import { act } from '../../../test/harness/evm.js'
import { serve } from '../../../test/harness/serve.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { chargedPayment, paidPayment, payAndProcess, payCharge, untilEnded } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { retrieveOpen } from './evm-retrieve.js'

const CONFIRMATIONS = 12

const harness = await startSettlementHarness({ confirmations: CONFIRMATIONS, batches: true })
const { split } = harness.chain
if (!split) throw new Error('there are no batches')
const contract = payoutBatchAddress(split)
// What prepared the treasury is to be confirmed before it pays.
await harness.anvil.mine({ blocks: CONFIRMATIONS })

interface RpcCall {
  id: number
  method: string
  params: unknown[]
}

interface Log {
  address: Hex
  topics: Hex[]
  data: Hex
}
type Receipt = Record<string, unknown> & { logs: Log[] }

/**
 * A way to the node that notes what it is asked, and may not keep the state of older blocks, as pruned nodes do not.
 * @param alter what a transaction has done instead
 */
async function startNode(isPruned: boolean, alter: (receipt: Receipt) => Receipt = (receipt) => receipt) {
  const asked: string[] = []
  const { url } = await serve((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const given = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[]
      void Promise.all([given].flat().map(answerTo)).then((answers) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(Array.isArray(given) ? answers : answers[0])),
      )
    })
  })
  const answerTo = async (call: RpcCall): Promise<unknown> => {
    asked.push(call.method)
    const isOld = call.method === 'eth_getTransactionCount' && String(call.params[1]).startsWith('0x')
    if (isPruned && isOld) return { jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'missing trie node' } }
    const body = JSON.stringify({ jsonrpc: '2.0', ...call })
    const headers = { 'content-type': 'application/json' }
    const answer = (await (await fetch(harness.chain.rpcUrl, { method: 'POST', headers, body })).json()) as object
    const isReceipt = call.method === 'eth_getTransactionReceipt' && 'result' in answer && answer.result !== null
    return isReceipt ? { ...answer, result: alter(answer.result as Receipt) } : answer
  }
  const { chain, deps, treasury: account } = harness
  const client = createEvmClient({ ...chain, rpcUrl: url })
  const retrieve = async () => {
    const open = (await deps.payouts.findOpen(chain.name, account)).map(({ transaction }) => transaction)
    asked.splice(0)
    return retrieveOpen({ client, chain, account, withLegs: deps.payouts.withLegs }, open)
  }
  return { asked, retrieve }
}

describe('what the treasury has sent', () => {
  it('costs no call of its own while it only waits for confirmations', async () => {
    const [node, pruned] = [await startNode(false), await startNode(true)]
    for (let payouts = 0; payouts < 3; payouts += 1) {
      const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
      await paidPayment(harness, { splitPaymentConfig })
    }
    await harness.anvil.mine({ blocks: CONFIRMATIONS - 4 })
    expect(await node.retrieve()).toEqual([])
    expect(node.asked).not.toContain('eth_getTransactionReceipt')
    expect(node.asked.length).toBeLessThanOrEqual(4)
    expect(await pruned.retrieve()).toEqual([])
    await harness.anvil.mine({ blocks: CONFIRMATIONS })
    for (const { retrieve } of [node, pruned]) {
      expect((await retrieve()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    }
  })
})

describe('a batch within which somebody else has the contract name legs', () => {
  /** Three payouts in one transaction, of 10 USDT each, two of them to one receiver. */
  async function sentTogether() {
    const twice = harness.newReceiver()
    expect(await runLedger(harness, 'pause', '--reason', 'all are to wait together')).toBe(0)
    for (const receiverWallet of [twice, twice, harness.newReceiver()]) {
      const splitPaymentConfig = [{ receiverWallet, receiverPercent: 100 }]
      const { txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '54.2' })
      await payAndProcess(harness, txid)
    }
    expect(await runLedger(harness, 'resume')).toBe(0)
    await harness.runJobs()
    await harness.anvil.mine({ blocks: CONFIRMATIONS })
    return twice
  }
  /** Names a leg in a receipt, whose other logs it keeps. */
  const naming = (position: number, receipt: Receipt, logs = receipt.logs): Receipt => {
    const topics = encodeEventTopics({ abi: payoutBatchAbi, eventName: 'Unpaid', args: { batch: 1n } }) as Hex[]
    const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [BigInt(position), '0x'])
    return { ...receipt, logs: [...logs, { ...(logs[0] as Log), address: contract, topics, data }] }
  }
  /** What a batch did for its legs, by receiver. */
  const outcomesOf = async ({ retrieve }: Awaited<ReturnType<typeof startNode>>) => {
    const status = (await retrieve()).at(-1)
    if (status?.state !== 'confirmed') throw new Error('no batch is confirmed')
    const { signed, results } = status
    return signed.legs.map(({ leg, payout }) => ({ to: payout.receiver, outcome: results[leg.position]?.outcome }))
  }

  it('is never unpaid where the token shows that it was paid, and takes the log of no other leg', async () => {
    const twice = await sentTogether()
    const legs = await outcomesOf(await startNode(false))
    expect(legs.map(({ outcome }) => outcome)).toEqual(['paid', 'paid', 'paid'])
    const [first, second] = legs.flatMap(({ to }, place) => (to === twice ? [place] : []))
    const single = legs.findIndex(({ to }) => to !== twice)
    const named = await outcomesOf(await startNode(false, (receipt) => naming(single, receipt)))
    expect(named).toEqual(legs.map((one, place) => (place === single ? { ...one, outcome: 'unproven' } : one)))
    const isToTwice = ({ topics }: Log) => topics[2]?.endsWith(twice.slice(2).toLowerCase())
    const lacking = await startNode(false, (receipt) => {
      const lost = receipt.logs.find(isToTwice)
      return naming(
        first ?? 0,
        receipt,
        receipt.logs.filter((log) => log !== lost),
      )
    })
    expect(second).toBeDefined()
    expect(await outcomesOf(lacking)).toEqual(
      legs.map((one, place) => (place === first ? { ...one, outcome: 'unpaid' } : one)),
    )
  })

  it('is not asked of what is no batch: a receiver of coins that calls the contract is paid once', async () => {
    const greedy = harness.newReceiver()
    const token = harness.chain.tokens['USDT']?.address as Hex
    const legs = [{ to: harness.newReceiver(), amount: 1n, reference: '0x' as const }]
    /** Has whatever pays it call the contract for a batch that it cannot pay; it takes no money otherwise. */
    const aim = async (number: bigint) => {
      const { data } = payBatchCall(contract, { token, number, legs })
      // Without the gas that a leg is promised: a payout of coins may not use so much.
      const message = `0x${data.slice(2, 138)}${'0'.repeat(64)}${data.slice(202)}` as const
      const length = numberToHex(size(message), { size: 1 }).slice(2)
      const call = `60${length}602e60003960006000` + `60${length}60006000` + `73${contract.slice(2)}5af1602c57fe5b00`
      await harness.anvil.setCode({ address: greedy, bytecode: `0x${call}${message.slice(2)}` })
    }
    // The first of its batches takes more gas than the next.
    await aim(0n)
    await act(harness, { from: MINTER, to: greedy, value: 1n, gas: 500_000n })
    await aim(1n)
    // Blocks were made faster than time passes, and coins that left before a payment hold it.
    await harness.advance(600)
    const { payment, txid } = await chargedPayment(harness, {
      splitPaymentConfig: [{ receiverWallet: greedy, receiverPercent: 100 }],
      toCurrencySymbol: 'POL',
      amountFrom: '0.10',
    })
    await payCharge(harness, txid)
    expect(await untilEnded(harness, payment, () => harness.anvil.mine({ blocks: CONFIRMATIONS }))).toMatchObject({
      status: 'success',
    })
    const [sent, ...more] = await transactionsOf(harness, payment)
    expect(more).toEqual([])
    const { logs } = await harness.anvil.getTransactionReceipt({ hash: sent?.['hash'] as Hex })
    expect(logs.some(({ address }) => isAddressEqual(address, contract))).toBe(true)
  })
})
