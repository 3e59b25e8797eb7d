import { numberToHex, parseTransaction, type Address, type Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { minedReceipt } from '../../sandbox/anvil/mined-receipt.js'
import { freshAddress, startEvmHarness } from '../../test/harness/evm.js'
import { refusal } from '../../test/harness/refusal.js'
import { startRpcProxy } from '../../test/harness/rpc-proxy.js'
import { createEvmClient } from '../evm/client.js'
import { readFees } from '../evm/fees.js'
import type { AccountRows, AccountTransaction, EvmAccount } from './evm-account.js'
import { followAccount } from './follow-account.js'
import { sendFrom } from './send-from.js'

const harness = await startEvmHarness()
const proxy = await startRpcProxy(harness.chain.rpcUrl)
const { address } = harness.operator
afterEach(async () => {
  proxy.onCall = () => 'pass'
  await harness.anvil.setAutomine(true)
})

class Crash extends Error {}
type Row = AccountTransaction & { isFollowed?: boolean }
interface Death {
  at: string
  side: 'before' | 'after'
}

/** What is left where a process dies. */
const disk: Row[] = []
const alerts: string[] = []
let now = new Date('2026-11-24T00:00:00Z')

/** The account as a process has it. @param dies the step that it dies at */
function account(dies?: Death, confirmed: { finalityBlocks?: number } = {}): EvmAccount {
  let isDead = false
  const die = (at: string, side: Death['side']): void => {
    isDead ||= dies?.at === at && dies.side === side
    if (isDead) throw new Crash(at)
  }
  const step =
    <Args extends unknown[], T>(at: string, work: (...args: Args) => T) =>
    async (...args: Args): Promise<Awaited<T>> => {
      die(at, 'before')
      const result = await work(...args)
      die(at, 'after')
      return result
    }
  const byNonce = (rows: Row[]) => rows.toSorted((one, other) => one.nonce - other.nonce)
  const set = (row: Row, change: Partial<Row>): Row => {
    const index = disk.findIndex(({ nonce }) => nonce === row.nonce)
    return (disk[index] = { ...row, ...change })
  }
  const rows: AccountRows = {
    findOpen: step('findOpen', () => byNonce(disk.filter(({ state }) => state === 'stored'))),
    add: step('add', (transaction) => {
      const row: Row = { ...transaction, earlierHashes: [], state: 'stored' }
      disk.push(row)
      return row
    }),
    replace: step('replace', (row, version) => set(row, version)),
    markFinal: step('markFinal', (row) => void set(row, { state: 'final', isFollowed: true })),
    nextNonce: step('nextNonce', () => Math.max(-1, ...disk.map(({ nonce }) => nonce)) + 1),
    findFrom: step('findFrom', (nonce) =>
      byNonce(disk.filter((row) => row.nonce >= nonce && (row.state === 'stored' || row.isFollowed))),
    ),
    findBelow: step('findBelow', (nonce) => byNonce(disk.filter((row) => row.nonce < nonce && row.isFollowed))),
  }
  const client = createEvmClient({ ...harness.chain, rpcUrl: proxy.url })
  const request = client.request
  const isSend = ({ method }: { method: string }) => method === 'eth_sendRawTransaction'
  const mortal = (async (call: { method: string }, options: unknown) => {
    if (isSend(call)) die('send', 'before')
    const answer: unknown = await request(call as never, options as never)
    if (isSend(call)) die('send', 'after')
    return answer
  }) as typeof request
  return {
    client: { ...client, request: mortal },
    chain: { ...harness.chain, ...confirmed },
    signer: harness.operator,
    rows,
    gasMax: 6_000_000n,
    now: () => now,
    exclusively: async (work) => ({ result: await work({ assertHeld: () => Promise.resolve() }) }),
    tellStuck: (details) => {
      alerts.push(details)
      return Promise.resolve()
    },
  }
}

const callTo = (to: Address) => ({ to, data: '0x' as const, value: 3n })
const received = (to: Address) => harness.client.getBalance({ address: to })
/** Until what was written down is old enough for its purpose to be looked at. */
const growOld = () => void (now = new Date(now.getTime() + 5_000))
const rowOf = (purpose: string) => disk.find((row) => row.purpose === purpose)
const mined = (purpose: string) => minedReceipt(harness.anvil, rowOf(purpose)?.hash as Hex)

describe('an account of ours', () => {
  for (const at of ['findOpen', 'nextNonce', 'add', 'send']) {
    for (const side of ['before', 'after'] as const) {
      it(`sends once where its process dies ${side} ${at}, and the next one is asked for the same`, async () => {
        const purpose = `dies ${side} ${at}`
        const to = freshAddress()
        await expect(sendFrom(account({ at, side }), purpose, callTo(to))).rejects.toThrow(Crash)
        growOld()
        expect(await sendFrom(account(), purpose, callTo(to))).not.toBe('busy')
        await mined(purpose)
        expect(await received(to)).toBe(3n)
        expect(disk.filter((row) => row.purpose === purpose)).toHaveLength(1)
      })
    }
  }

  it('sends nothing more for a purpose that was mined since its caller looked, wherever it dies', async () => {
    const to = freshAddress()
    await sendFrom(account(), 'mined', callTo(to))
    await mined('mined')
    growOld()
    await expect(sendFrom(account({ at: 'markFinal', side: 'after' }), 'mined', callTo(to))).rejects.toThrow(Crash)
    expect(rowOf('mined')?.state).toBe('final')
    expect(await received(to)).toBe(3n)
  })

  for (const side of ['before', 'after'] as const) {
    it(`raises fees on the same nonce, and one version lands, where it dies ${side} writing the other down`, async () => {
      const purpose = `slow ${side}`
      const to = freshAddress()
      await harness.anvil.setAutomine(false)
      await sendFrom(account(), purpose, callTo(to))
      const first = rowOf(purpose)
      now = new Date(now.getTime() + 61_000)
      await expect(sendFrom(account({ at: 'replace', side }), purpose, callTo(to))).rejects.toThrow(Crash)
      await sendFrom(account(), purpose, callTo(to))
      expect(rowOf(purpose)).toMatchObject({ nonce: first?.nonce })
      expect(rowOf(purpose)?.hash).not.toBe(first?.hash)
      await harness.anvil.mine({ blocks: 1 })
      expect(await received(to)).toBe(3n)
      expect(alerts).toContain(`${purpose} is in no block`)
    })
  }

  it('does not take a nonce twice where a node counts fewer than were signed', async () => {
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'before', callTo(freshAddress()))
    proxy.onCall = ({ method }) => (method === 'eth_getTransactionCount' ? { answer: { result: '0x0' } } : 'pass')
    await sendFrom(account(), 'behind', callTo(freshAddress()))
    expect(rowOf('behind')?.nonce).toBe((rowOf('before')?.nonce ?? 0) + 1)
    proxy.onCall = () => 'pass'
    await harness.anvil.mine({ blocks: 1 })
  })

  it('signs nothing behind nonces that one answer counts and nobody has, and goes on where the nodes count right', async () => {
    const to = freshAddress()
    const used = await harness.client.getTransactionCount({ address })
    proxy.onCall = ({ method, params }) => {
      const isNext = method === 'eth_getTransactionCount' && params[1] === 'pending'
      return isNext ? { answer: { result: numberToHex(used + 4) } } : 'pass'
    }
    alerts.length = 0
    expect((await refusal(sendFrom(account(), 'too high', callTo(to)))).code).toBe('provider_unavailable')
    expect(rowOf('too high')).toBeUndefined()
    expect(alerts).toEqual([expect.stringContaining(`counts ${used + 4} transactions`)])
    proxy.onCall = () => 'pass'
    expect(await sendFrom(account(), 'too high', callTo(to))).toBe('sent')
    expect(rowOf('too high')?.nonce).toBe(used)
    await mined('too high')
    expect(await received(to)).toBe(3n)
  })

  it('takes no nonce of what was sent before a restore: it waits until that is confirmed, and signs behind it', async () => {
    const [lost, to] = [freshAddress(), freshAddress()]
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'lost with the database', callTo(lost))
    const rows = disk.splice(-1)
    expect((await refusal(sendFrom(account(), 'after', callTo(to)))).code).toBe('provider_unavailable')
    expect(rowOf('after')).toBeUndefined()
    await harness.anvil.mine({ blocks: 1 })
    expect(await sendFrom(account(), 'after', callTo(to))).toBe('sent')
    expect(rowOf('after')?.nonce).toBe((rows[0]?.nonce ?? 0) + 1)
    await harness.anvil.mine({ blocks: 1 })
    expect([await received(lost), await received(to)]).toEqual([3n, 3n])
    // The tests behind this one count all that was sent.
    disk.push(...rows)
  })

  it('frees the nonce of what no node will ever take, tells why, and lets the purpose have another', async () => {
    const to = freshAddress()
    let refusals = 1
    proxy.onCall = ({ method }) => {
      if (method !== 'eth_sendRawTransaction' || refusals === 0) return 'pass'
      refusals -= 1
      return { answer: { error: { code: -32000, message: 'exceeds block gas limit' } } }
    }
    expect((await refusal(sendFrom(account(), 'refused', callTo(to)))).code).toBe('broadcast_rejected')
    const freed = disk.at(-1)
    expect(freed?.purpose).toBe(`free:${freed?.nonce}`)
    await mined(freed?.purpose ?? '')
    expect(await sendFrom(account(), 'refused', callTo(to))).toBe('sent')
    await mined('refused')
    expect(await received(to)).toBe(3n)
  })

  describe('that holds little', () => {
    const held = () => harness.client.getBalance({ address })
    const hold = (value: bigint) => harness.anvil.setBalance({ address, value })
    let before = 0n
    beforeEach(async () => {
      before = await held()
      alerts.length = 0
    })
    afterEach(() => hold(before))

    it('spares a call no more gas than it can pay for, so that what is behind it is mined', async () => {
      const [greedy, to] = [freshAddress(), freshAddress()]
      const { maxFeePerGas } = await readFees(harness.client)
      await hold(1_000_000n * maxFeePerGas)
      await sendFrom(account(), 'spared', { ...callTo(greedy), gasSpare: 5_900_000n })
      await mined('spared')
      const { gas = 0n } = parseTransaction(rowOf('spared')?.raw as Hex)
      expect(gas).toBeGreaterThan(400_000n)
      await sendFrom(account(), 'behind the spared', callTo(to))
      await mined('behind the spared')
      expect([await received(greedy), await received(to)]).toEqual([3n, 3n])
    })

    it('takes no nonce for a call that it cannot pay for, tells so, and sends it once there is coin', async () => {
      const to = freshAddress()
      const { maxFeePerGas } = await readFees(harness.client)
      await hold(20_000n * maxFeePerGas)
      const { code, details } = await refusal(sendFrom(account(), 'poor', callTo(to)))
      expect([code, details]).toEqual(['broadcast_rejected', expect.stringMatching(/^insufficient funds/)])
      expect(rowOf('poor')).toBeUndefined()
      expect(alerts).toEqual([details])
      await hold(before)
      await sendFrom(account(), 'poor', callTo(to))
      await mined('poor')
      expect(await received(to)).toBe(3n)
    })
  })

  it('sends the stored bytes again, the lowest nonce first, where a reorganisation has dropped them', async () => {
    await harness.anvil.mine({ blocks: 1 })
    const [one, two] = [freshAddress(), freshAddress()]
    const before = await harness.anvil.getBlockNumber()
    for (const [purpose, to] of [
      ['one', one],
      ['two', two],
    ] as const) {
      await sendFrom(account(), purpose, callTo(to))
      await mined(purpose)
    }
    growOld()
    // It finds them mined.
    await sendFrom(account(), 'two', callTo(two))
    const depth = Number((await harness.anvil.getBlockNumber()) - before)
    await harness.anvil.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    expect(await received(one)).toBe(0n)
    const ended: string[] = []
    const end = (row: Row): Promise<void> => {
      ended.push(row.purpose)
      row.isFollowed = false
      return Promise.resolve()
    }
    proxy.calls.length = 0
    await followAccount(account(), end)
    const sent = proxy.calls.flatMap(({ method, params }) => (method === 'eth_sendRawTransaction' ? params[0] : []))
    expect(sent).toEqual([rowOf('one')?.raw, rowOf('two')?.raw])
    expect(ended).toEqual([])
    await mined('two')
    expect([await received(one), await received(two)]).toEqual([3n, 3n])
    await harness.anvil.mine({ blocks: 1 })
    await followAccount(account(undefined, { finalityBlocks: 2 }), end)
    expect(ended).toEqual(expect.arrayContaining(['one', 'two']))
    expect(await harness.client.getTransactionCount({ address })).toBe(disk.length)
  })

  it('sends what a reorganisation has dropped before anything behind it, also where nobody follows the account', async () => {
    await harness.anvil.mine({ blocks: 1 })
    const [lost, next] = [freshAddress(), freshAddress()]
    const before = await harness.anvil.getBlockNumber()
    await sendFrom(account(), 'lost', callTo(lost))
    await mined('lost')
    growOld()
    await sendFrom(account(), 'lost', callTo(lost))
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'behind it', callTo(freshAddress()))
    const depth = Number((await harness.anvil.getBlockNumber()) - before)
    await harness.anvil.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    now = new Date(now.getTime() + 61_000)
    alerts.length = 0
    await sendFrom(account(), 'next', callTo(next))
    await harness.anvil.mine({ blocks: 1 })
    expect([await received(lost), await received(next)]).toEqual([3n, 3n])
    // What waits behind it is not dearer for that.
    expect(alerts).toEqual([])
    expect(await harness.client.getTransactionCount({ address })).toBe(disk.length)
  })
})
