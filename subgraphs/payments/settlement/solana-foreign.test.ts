import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { NodeError } from '../../../chains/solana/rpc.js'
import { SOLANA_TOKENS, solanaChain } from '../../../sandbox/solana/seed.js'
import type { ListLook } from '../store/foreign-transfers.js'
import type { ForeignTransfer } from './payout-chain.js'
import { readForeignSolana } from './solana-foreign.js'
import { newPast, type SolanaPast } from './solana-past.js'

const ACCOUNT = Keypair.generate().publicKey.toBase58()
const RECEIVER = Keypair.generate().publicKey.toBase58()
const MINT = SOLANA_TOKENS.USDC.mint

interface Entry {
  signature: string
  slot: number
  err: unknown
}

/** A node that knows some transactions which name the account, the newest first, and counts what it is asked. */
function startNode(entries: Entry[]) {
  const node = {
    entries,
    /** Its index lacks so many of the newest. */
    late: 0,
    isAway: false,
    calls: { getSignaturesForAddress: 0, getTransaction: 0 },
    /** Of these it shows what they moved. */
    paying: new Set<string>(),
    /** These it does not show. */
    hidden: new Set<string>(),
    atOnce: 0,
  }
  let running = 0
  const answers: Record<keyof typeof node.calls, (params: readonly unknown[]) => Promise<unknown>> = {
    getSignaturesForAddress: ([, config]) => {
      const { before, until, limit } = config as { before?: string; until?: string; limit: number }
      const known = node.entries.slice(node.late)
      const start = before === undefined ? 0 : known.findIndex(({ signature }) => signature === before) + 1
      // As Agave does: what is before a signature that it does not know is nothing.
      if (before !== undefined && start === 0) return Promise.resolve([])
      const page = known.slice(start, start + limit)
      const end = page.findIndex(({ signature }) => signature === until)
      const shown = end === -1 ? page : page.slice(0, end)
      return Promise.resolve(shown.map((one) => ({ ...one, blockTime: one.slot, confirmationStatus: 'finalized' })))
    },
    getTransaction: async ([signature]) => {
      running += 1
      node.atOnce = Math.max(node.atOnce, running)
      await Promise.resolve()
      running -= 1
      const slot = node.entries.find((one) => one.signature === signature)?.slot
      return node.hidden.has(String(signature)) ? null : effectsOf(node.paying.has(String(signature)), slot)
    },
  }
  const call: SolanaClient['call'] = (method, params) => {
    if (node.isAway) return Promise.reject(new NodeError(-32005, 'Node is behind', null))
    const name = method as keyof typeof node.calls
    node.calls[name] += 1
    return answers[name](params)
  }
  return { node, client: { call } as SolanaClient }
}

/** What `getTransaction` shows: 10 USDC to the receiver, or nothing that is the account's. */
function effectsOf(pays: boolean, slot: number | undefined): object {
  const held = (accountIndex: number, owner: string, amount: string) => ({
    ...{ accountIndex, mint: MINT, owner },
    uiTokenAmount: { amount },
  })
  const [pre, post] = pays
    ? [[held(1, ACCOUNT, '10000000')], [held(1, ACCOUNT, '0'), held(2, RECEIVER, '10000000')]]
    : [[], []]
  const meta = { err: null, fee: 5_000, preBalances: [9, 1, 1], postBalances: [9, 1, 1] }
  const accountKeys = [pays ? ACCOUNT : RECEIVER, 'one', 'two']
  return {
    slot,
    transaction: { message: { accountKeys } },
    meta: { ...meta, preTokenBalances: pre, postTokenBalances: post },
  }
}

/** So many entries; the first has the highest slot. */
const entriesOf = (name: string, count: number, newest: number, err: unknown = null): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ signature: `${name}${index}`, slot: newest - index, err }))

/** A database's cursor, and a process that reads by it. */
function startReader(client: SolanaClient, since = 0) {
  const cursor: { signature: string | undefined; look: ListLook | undefined } = {
    signature: undefined,
    look: undefined,
  }
  const found: ForeignTransfer[] = []
  const database = { fails: false }
  const round = async (past: SolanaPast) => {
    const known = { nonce: 0, block: undefined, ...cursor, since: () => Promise.resolve(new Date(since * 1_000)) }
    const ours = () => Promise.resolve(new Set<string>())
    const context = { client, chain: solanaChain('http://127.0.0.1:1') }
    const read = await readForeignSolana(context, ACCOUNT, { ...known, ours, keep: () => Promise.resolve() }, past)
    if (typeof read === 'string') return read
    if (database.fails) throw new Error('the database is away')
    found.push(...read.transfers)
    Object.assign(cursor, { signature: read.signature, look: read.progress?.look })
    read.progress?.wasRecorded()
    return read.progress?.isAll === false ? 'more' : 'all'
  }
  const untilRead = async (past: SolanaPast): Promise<number> => {
    for (let rounds = 1; ; rounds += 1) if ((await round(past)) === 'all') return rounds
  }
  return { cursor, database, found, round, untilRead }
}

/** The past of a process whose renewals have landed up to a slot. */
const closedAt = (slot: number, ...marks: string[]): SolanaPast => ({
  ...newPast(),
  closed: { slot, marks: new Set(marks) },
})

describe('what the treasury on Solana has sent and the database does not know', () => {
  it('is found behind any number of transactions by which strangers name the treasury', async () => {
    const strangers = entriesOf('failed', 201_500, 900_000, { InstructionError: [0, 'Custom'] })
    const { node, client } = startNode([
      ...strangers,
      { signature: 'paid', slot: 10, err: null },
      ...entriesOf('old', 3, 9),
    ])
    node.paying.add('paid')
    const reader = startReader(client)
    reader.cursor.signature = 'old0'
    await reader.untilRead(closedAt(900_000, 'failed0'))
    expect(reader.found).toMatchObject([
      { hash: 'paid', other: RECEIVER, amount: '10', currency: 'USDC', references: [ACCOUNT, 'one', 'two'] },
    ])
    expect(reader.cursor).toEqual({ signature: 'failed0', look: undefined })
    expect(node.calls.getTransaction).toBe(1)
  })

  it('takes eight calls at once, and those that a node cannot show keep nobody from reading the others once', async () => {
    const { node, client } = startNode(entriesOf('stranger', 1_500, 5_000))
    const reader = startReader(client)
    const past = closedAt(5_000, 'stranger0')
    node.hidden.add('stranger700')
    for (let rounds = 0; rounds < 20; rounds += 1) await reader.round(past).catch(() => undefined)
    expect(past.isRead).toBe(false)
    node.hidden.clear()
    await reader.untilRead(past)
    // One is asked for again in each round, and a page shows the last of the page before.
    expect(node.calls.getTransaction).toBeLessThan(1_540)
    expect(node.atOnce).toBe(8)
  })

  it('is read on by the next process from where one has died, and what came since', async () => {
    const { node, client } = startNode([
      ...entriesOf('stranger', 3_000, 5_000),
      { signature: 'paid', slot: 10, err: null },
    ])
    node.paying.add('paid')
    const reader = startReader(client)
    const dying = closedAt(5_000, 'stranger0')
    while (reader.cursor.look === undefined) await reader.round(dying)
    const before = node.calls.getTransaction
    node.entries.unshift(...entriesOf('newer', 40, 6_000))
    node.paying.add('newer7')
    await reader.untilRead(closedAt(6_000, 'newer0'))
    expect(reader.found.map(({ hash }) => hash)).toEqual(['paid', 'newer7'])
    expect(node.calls.getTransaction - before).toBeLessThan(2_050)
  })

  it('is not taken as read from a list that lacks what this process has sent itself', async () => {
    const renewal = { signature: 'renewal', slot: 100, err: null }
    const { node, client } = startNode([
      renewal,
      { signature: 'paid', slot: 99, err: null },
      ...entriesOf('old', 5, 90),
    ])
    node.paying.add('paid')
    node.late = 2
    const reader = startReader(client)
    const past = closedAt(102, 'renewal')
    for (let rounds = 0; rounds < 5; rounds += 1) expect(await reader.round(past)).toBe('more')
    expect(past.isRead).toBe(false)
    node.late = 0
    await reader.untilRead(past)
    expect(reader.found).toMatchObject([{ hash: 'paid' }])
  })

  it('is not taken as read by what was listed before the database failed to write it down', async () => {
    const renewal = { signature: 'renewal', slot: 100, err: null }
    const { node, client } = startNode([renewal, { signature: 'paid', slot: 99, err: null }])
    node.paying.add('paid')
    const reader = startReader(client)
    const past = closedAt(102, 'renewal')
    reader.database.fails = true
    await expect(reader.round(past)).rejects.toThrow('the database is away')
    reader.database.fails = false
    node.late = 2
    expect(await reader.round(past)).toBe('more')
    node.late = 0
    await reader.untilRead(past)
    expect(reader.found.map(({ hash }) => hash)).toEqual(['paid'])
  })

  it('is taken as read where another process has read beyond what this one has sent itself', async () => {
    const { client } = startNode([...entriesOf('other', 2, 200), { signature: 'renewal', slot: 100, err: null }])
    const reader = startReader(client)
    reader.cursor.signature = 'other0'
    expect(await reader.untilRead(closedAt(300, 'renewal'))).toBe(1)
  })

  it('is not taken as read where a node does not know how far it was read', async () => {
    const { node, client } = startNode(entriesOf('stranger', 2_500, 5_000, 'failed'))
    const reader = startReader(client)
    const past = closedAt(5_000, 'stranger0')
    await reader.round(past)
    node.late = 2_000
    await expect(reader.round(past)).rejects.toMatchObject({ code: 'confirm_rpc_unavailable' })
    node.late = 0
    await reader.untilRead(past)
    expect(reader.cursor.signature).toBe('stranger0')
  })

  it('holds nobody up once it is read, whatever strangers send and nodes answer', async () => {
    const { node, client } = startNode(entriesOf('old', 2, 10))
    const reader = startReader(client)
    const past = closedAt(11, 'old0')
    await reader.untilRead(past)
    const before = node.calls.getTransaction
    node.isAway = true
    expect(await reader.round(past)).toBe('none')
    node.isAway = false
    node.entries.unshift(...entriesOf('stranger', 5_000, 6_000))
    expect(await reader.round(past)).toBe('all')
    expect(reader.cursor.signature).toBe('stranger0')
    expect(node.calls.getTransaction).toBe(before)
    // What is less is still read, a few in each round.
    node.entries.unshift(...entriesOf('fewer', 40, 7_000))
    node.paying.add('fewer30')
    expect(await reader.round(past)).toBe('none')
    expect(node.calls.getTransaction).toBe(before + 16)
    await reader.untilRead(past)
    expect(reader.found.map(({ hash }) => hash)).toEqual(['fewer30'])
  })

  it('is read anew by a process whose database was set back', async () => {
    const { client } = startNode(entriesOf('old', 2, 10))
    const past = { ...closedAt(11), isRead: true, newest: 50 }
    expect(await startReader(client).round(past)).toBe('none')
    expect(past).toMatchObject({ isRead: false, closed: undefined })
  })
})
