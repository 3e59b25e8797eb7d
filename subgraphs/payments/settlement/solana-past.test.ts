import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { nonceAddresses } from '../../../chains/solana/durable-nonces.js'
import { usedUpNonces } from '../../../chains/solana/replace.js'
import { localSolanaSigner } from '../../../chains/solana/signer.js'
import { solanaChain } from '../../../sandbox/solana/seed.js'
import type { OpenBatch } from '../store/batches.js'
import { newPayout } from './new-payout.js'
import type { KnownTransactions, PreparedBatch } from './payout-chain.js'
import { solanaPayouts } from './solana-payouts.js'

const newKey = () => Keypair.generate().publicKey
const chain = solanaChain('http://127.0.0.1:1')
const signer = localSolanaSigner(Keypair.generate().secretKey)
const [first = '', second = ''] = nonceAddresses(signer.address)
const planned = { tenantId: 'tenant', paymentId: 'payment', splitIndex: 0, chainName: chain.name, symbol: 'USDC' }
const payout = newPayout({ ...planned, receiver: newKey().toBase58(), amount: '1', fiatAmount: '5' }, new Date())

/** A nonce account's data: it holds another nonce than any other. */
function freshNonce(): string {
  const data = Buffer.alloc(80)
  data.writeUInt32LE(1, 4)
  data.set(newKey().toBytes(), 40)
  return data.toString('base64')
}

/** A process of a database that was restored from a backup, and a node that has two nonces of the treasury's. */
function startProcess() {
  const nonces = new Map([first, second].map((account) => [account, freshNonce()]))
  const node = { slot: 100, named: [] as string[], asked: [] as [string, unknown][] }
  const call: SolanaClient['call'] = (method, [given, config]) => {
    node.asked.push([method, config])
    if (method === 'getLatestBlockhash')
      return Promise.resolve({ value: { blockhash: newKey().toBase58(), lastValidBlockHeight: 500 } })
    if (method === 'getSignaturesForAddress')
      return Promise.resolve(node.named.map((signature) => ({ signature, slot: 99, blockTime: 99, err: 'it failed' })))
    if (method === 'getSlot') return Promise.resolve(node.slot)
    const value = (given as string[]).map((account) => {
      const data = nonces.get(account)
      return data === undefined ? null : { data: [data, 'base64'] }
    })
    return Promise.resolve({ context: { slot: node.slot }, value })
  }
  const port = solanaPayouts({ signer, solanaClient: () => ({ call }) as SolanaClient })
  const landed = new Set<string>()
  const prepare = async (...open: PreparedBatch[]) => {
    const { prepared } = await port.prepare(chain, {
      payouts: [payout],
      open: open.map(({ raw }) => ({ pays: null, transaction: { nonceAccount: null, raw } })) as unknown as OpenBatch[],
      ...{ room: 48, nextNonce: 0, newestBlock: 0, newId: () => 'id' },
      usedNonces: () => Promise.resolve(new Set()),
      landed: (hashes) => Promise.resolve(new Set(hashes.filter((hash) => landed.has(hash)))),
    })
    return prepared
  }
  const known: KnownTransactions = {
    ...{ nonce: 0, block: undefined, signature: undefined, look: undefined },
    since: () => Promise.resolve(new Date(0)),
    ours: () => Promise.resolve(new Set()),
    keep: () => Promise.resolve(),
  }
  const read = async (): Promise<unknown> => {
    const found = await port.readForeign(chain, known)
    return typeof found === 'string' ? found : found.progress?.isAll
  }
  const land = (accounts: readonly string[], ...hashes: string[]): void => {
    node.slot += 10
    for (const account of accounts) nonces.set(account, freshNonce())
    for (const hash of hashes) landed.add(hash)
  }
  return { node, prepare, read, land }
}

const advancedBy = (prepared: readonly PreparedBatch[]): string[] => prepared.flatMap(({ raw }) => usedUpNonces(raw))

describe('a process of a treasury on Solana that is new', () => {
  it('signs for nobody until what it has signed itself has used all nonces up, and is in the list', async () => {
    const { node, prepare, read, land } = startProcess()
    expect(await read()).toBe('none')
    const [renewal, ...others] = await prepare()
    if (!renewal) throw new Error('nothing is renewed')
    expect(others).toEqual([])
    expect(renewal.payouts).toEqual([])
    expect(advancedBy([renewal])).toEqual([first, second])
    expect(await prepare(renewal)).toEqual([])
    // The node shows them used up before it is known what has done that.
    land([first, second])
    expect(await prepare(renewal)).toEqual([])
    expect(await read()).toBe('none')
    land([], renewal.hash)
    expect(await prepare()).toEqual([])
    expect(await read()).toBe(false)
    node.named = [renewal.hash]
    expect(await read()).toBe(true)
    // Nothing was asked but nonces, whether their slot is another's too, a blockhash, and the list as of that slot.
    const lists = node.asked.filter(([method]) => method === 'getSignaturesForAddress')
    expect(lists.map(([, config]) => (config as { minContextSlot: number }).minContextSlot)).toEqual([120, 120])
    const methods = new Set(node.asked.map(([method]) => method))
    expect(methods).toEqual(
      new Set(['getMultipleAccounts', 'getSlot', 'getLatestBlockhash', 'getSignaturesForAddress']),
    )
  })

  it('does not take a nonce as used up by itself where something that nobody knows has used it up', async () => {
    const { prepare, read, land } = startProcess()
    await prepare()
    // Its transaction lapses; meanwhile one lands that was lost with the database.
    land([first])
    const [again] = await prepare()
    expect(advancedBy(again ? [again] : [])).toEqual([second])
    land([second], again?.hash ?? '')
    const left = await prepare()
    expect(advancedBy(left)).toEqual([first])
    expect(await read()).toBe('none')
    land([first], left[0]?.hash ?? '')
    expect(await prepare()).toEqual([])
    expect(await read()).toBe(false)
  })
})
