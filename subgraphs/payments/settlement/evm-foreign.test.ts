import { encodeFunctionData, erc20Abi, hexToNumber, numberToHex, size, type Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { createEvmClient } from '../../../chains/evm/client.js'
import {
  approveBatchCall,
  deployBatchCall,
  payBatchCall,
  payoutBatchAddress,
} from '../../../chains/evm/payout-batch.js'
import { paymentReference } from '../../../chains/evm/split.js'
import { transferCall } from '../../../chains/evm/transfer-call.js'
import { startEvmNodePool, wholePool } from '../../../test/harness/evm-node-pool.js'
import { act, freshAddress, startEvmHarness } from '../../../test/harness/evm.js'
import { refusal } from '../../../test/harness/refusal.js'
import { readForeignEvm } from './evm-foreign.js'
import { referenceOn } from './payment-references.js'
import type { ForeignTransfer, KnownTransactions } from './payout-chain.js'

const { chain, anvil, payer, usdt } = await startEvmHarness()
const account = payer.address
const pool = await startEvmNodePool(chain.rpcUrl)
const client = createEvmClient({ ...chain, rpcUrl: pool.url })
afterEach(() => Object.assign(pool, wholePool(), { refuses: () => false, batchMax: Infinity }))

async function send(): Promise<Hex> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [freshAddress(), 1n] })
  return (await act({ anvil }, { from: account, to: usdt.address, data })).transactionHash
}

/** A database that knows all that the account has sent by now, and what it is given to keep. */
async function knownNow(): Promise<KnownTransactions & { kept: ForeignTransfer[] }> {
  const kept: ForeignTransfer[] = []
  // The newest known block is read again: what earlier tests have sent is not in it.
  await anvil.mine({ blocks: 1 })
  const known = {
    nonce: await anvil.getTransactionCount({ address: account }),
    block: Number(await anvil.getBlockNumber()),
    signature: undefined,
    look: undefined,
    since: () => Promise.reject(new Error('the newest block is known')),
    ours: () => Promise.resolve(new Set<string>()),
    keep: (transfers: readonly ForeignTransfer[], block: number) => {
      kept.push(...transfers)
      known.block = block
      return Promise.resolve()
    },
    kept,
  }
  return known
}

const hashesOf = (transfers: readonly ForeignTransfer[]) => transfers.map(({ hash }) => hash)

describe('what an account has sent that nobody has written down', () => {
  it('is found where it is in more blocks than a node takes calls in a batch', { timeout: 60_000 }, async () => {
    const known = await knownNow()
    const sent: Hex[] = []
    for (let index = 0; index < 105; index += 1) sent.push(await send())
    pool.batchMax = 100
    const found = await readForeignEvm(client, chain, account, known)
    expect(found).toMatchObject({ mayHaveSentCoins: false, nonce: known.nonce + 105 })
    expect(typeof found === 'object' && hashesOf(found.transfers)).toEqual(sent)
  })

  it('carries the references of its payments, each with what has paid it, and none where it was sent by hand', async () => {
    const contract = payoutBatchAddress(chain.split)
    for (const call of [deployBatchCall(chain.split), approveBatchCall(contract, usdt.address)])
      await act({ anvil }, { from: account, ...call })
    const known = await knownNow()
    const [one, other] = [freshAddress(), freshAddress()]
    const legs = [
      { to: one, amount: 5n, reference: paymentReference('a') },
      { to: other, amount: 5n, reference: paymentReference('b') },
      { to: one, amount: 5n, reference: paymentReference('c') },
      { to: one, amount: 6n, reference: paymentReference('d') },
    ]
    await act({ anvil }, { from: account, ...payBatchCall(contract, { token: usdt.address, number: 1n, legs }) })
    const single = { asset: usdt, to: one, amount: 7n }
    await act({ anvil }, { from: account, ...transferCall({ ...single, reference: paymentReference('e') }) })
    await act({ anvil }, { from: account, ...transferCall(single) })
    // As some wallets tell who has made a transaction.
    const suffixed = transferCall({ ...single, reference: '0x6d79617070' })
    await act({ anvil }, { from: account, ...suffixed })
    expect(size(suffixed.data)).toBe(73)
    const found = await readForeignEvm(client, chain, account, known)
    const named = (...ids: string[]) => ids.map((id) => referenceOn(chain, id))
    expect(typeof found === 'object' && found.transfers.map(({ references }) => references)).toEqual([
      ...[named('a', 'c'), named('b'), named('a', 'c'), named('d')],
      ...[named('e'), [], []],
    ])
    expect(found).toMatchObject({ mayHaveSentCoins: false })
  })

  it('is read again where a node does not show what it carries', async () => {
    const known = await knownNow()
    const reference = paymentReference('lost')
    await act({ anvil }, { from: account, ...transferCall({ asset: usdt, to: freshAddress(), amount: 1n, reference }) })
    pool.refuses = ({ method }) => method === 'eth_getTransactionByHash'
    expect(await refusal(readForeignEvm(client, chain, account, known))).toMatchObject({
      code: 'confirm_rpc_unavailable',
    })
    pool.refuses = () => false
    const found = await readForeignEvm(client, chain, account, known)
    expect(found).toMatchObject({ transfers: [{ references: [referenceOn(chain, 'lost')] }] })
  })

  it('is kept range by range: where a node fails in the last one, the first is not read again', async () => {
    const known = await knownNow()
    const first = await send()
    await anvil.mine({ blocks: 1_100 })
    const second = await send()
    const from: number[] = []
    let isFailing = true
    pool.refuses = ({ method, params: [filter] }) => {
      if (method !== 'eth_getLogs') return false
      const start = hexToNumber((filter as { fromBlock: Hex }).fromBlock)
      from.push(start)
      return isFailing && start > (known.block ?? 0)
    }
    const begun = known.block ?? 0
    const failure = await refusal(readForeignEvm(client, chain, account, known))
    expect(failure.code).toBe('confirm_rpc_unavailable')
    expect(hashesOf(known.kept)).toEqual([first])
    expect(known.block).toBe(begun + 999)
    isFailing = false
    from.length = 0
    const found = await readForeignEvm(client, chain, account, known)
    expect(typeof found === 'object' && hashesOf(found.transfers)).toEqual([second])
    expect(found).toMatchObject({ nonce: known.nonce + 2, block: Number(await anvil.getBlockNumber()) })
    expect(Math.min(...from)).toBe(begun + 999)
  })

  it('is a coin where another version of a transaction that is written down has sent the tokens', async () => {
    const known = await knownNow()
    // Its first version is written down, and the one with higher fees was signed after the backup.
    known.nonce += 1
    const raised = await send()
    await act({ anvil }, { from: account, to: freshAddress(), value: 1n })
    const found = await readForeignEvm(client, chain, account, known)
    expect(found).toMatchObject({ mayHaveSentCoins: true })
    expect(typeof found === 'object' && hashesOf(found.transfers)).toEqual([raised])
  })

  it('is nothing that one answer counts and the chain does not have', async () => {
    const known = await knownNow()
    let answers = 0
    pool.change = (method, result) => {
      if (method !== 'eth_getTransactionCount') return result
      answers += 1
      return answers === 1 ? numberToHex(known.nonce + 4) : result
    }
    expect(await readForeignEvm(client, chain, account, known)).toBe('waiting')
    expect(await readForeignEvm(client, chain, account, known)).toBe('none')
  })

  it('is not what a node of another chain counts', async () => {
    const known = await knownNow()
    pool.change = (method, result) => {
      if (method === 'eth_chainId') return '0x1'
      return method === 'eth_getTransactionCount' ? numberToHex(known.nonce + 4) : result
    }
    const failure = await refusal(readForeignEvm(client, chain, account, known))
    expect(failure).toMatchObject({ code: 'confirm_rpc_unavailable', details: 'a node of another chain' })
  })

  it('is waited for until it has the confirmations of the chain', async () => {
    const known = await knownNow()
    const strict = { ...chain, confirmations: 3 }
    const hash = await send()
    expect(await readForeignEvm(client, strict, account, known)).toBe('waiting')
    await anvil.mine({ blocks: 1 })
    expect(await readForeignEvm(client, strict, account, known)).toBe('waiting')
    await anvil.mine({ blocks: 1 })
    const found = await readForeignEvm(client, strict, account, known)
    expect(typeof found === 'object' && hashesOf(found.transfers)).toEqual([hash])
  })
})
