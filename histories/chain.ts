import type { EvmChain } from '../chains/chain.js'
import { fromBaseUnits, toBaseUnits } from '../kernel/money.js'
import type { LegsReader, SignedBatch } from '../subgraphs/payments/store/batches.js'
import type { TreasuryTransaction } from '../subgraphs/payments/store/payout.entity.js'
import type { PayoutChain, TransactionStatus } from '../subgraphs/payments/settlement/payout-chain.js'

/** The only token. */
export const USDT = { address: '0x5555555555555555555555555555555555555555', decimals: 6 } as const

/** The only chain of a history. */
export const CHAIN: EvmChain = {
  family: 'evm',
  name: 'polygon',
  chainId: 31337,
  rpcUrl: 'http://127.0.0.1:1',
  confirmations: 2,
  nativeCoin: { symbol: 'POL', decimals: 18 },
  tokens: { USDT },
  split: null,
  routers: [],
}
const FINAL_DEPTH = 4
const BATCH_MAX = 3

/** What was signed: whom it pays, and what it offers for gas. */
interface Signed {
  hash: string
  nonce: number
  pays: { receiver: string; units: bigint }[]
  gasPrice: bigint
}

interface Block {
  number: number
  hash: string
  transactions: { signed: Signed; fee: bigint; paid: boolean[] }[]
}

/** A chain that a history drives: blocks are made and dropped by steps. */
export interface ModelChain {
  port: PayoutChain
  /**
   * Makes a block.
   * @param refused receivers whom the token does not pay in it
   * @param prefersOld of the versions of a nonce it takes the one that offers least, as a node may that knows no other
   */
  mine: (refused: ReadonlySet<string>, prefersOld?: boolean) => void
  /** Drops blocks that are not final. @param isForgotten nodes do not keep what was in them */
  reorganise: (depth: number, isForgotten: boolean) => void
  /** Nodes lose what is in no block. */
  forget: () => void
  /** What each receiver has got, in the token's base units. */
  received: () => Map<string, bigint>
  /** What all transactions have cost, in wei. */
  spent: () => bigint
  /** Whether nothing is in a block that may still be dropped, or waits for one. */
  isAtRest: () => boolean
}

/** @param gasPrice the price of gas in a block, in wei */
export function modelChain(gasPrice: () => bigint): ModelChain {
  const signed = new Map<string, Signed>()
  const paidBy = new Map<string, boolean[]>()
  let pool: Signed[] = []
  let blocks: Block[] = []
  let branch = 0
  const head = (): number => blocks.length
  const used = (): number => blocks.reduce((count, { transactions }) => count + transactions.length, 0)
  const placeOf = (hash: string) => {
    for (const block of blocks)
      for (const landed of block.transactions) if (landed.signed.hash === hash) return { block, landed }
    return undefined
  }
  const take = (one: Signed): void => {
    if (!pool.includes(one) && !placeOf(one.hash) && one.nonce >= used()) pool.push(one)
  }
  return {
    port: portOf({
      signed,
      take,
      placeOf,
      head,
      used,
      blocks: () => blocks,
      isPooled: (hash) => pool.some((one) => one.hash === hash),
    }),
    mine: (refused, prefersOld = false) => {
      const price = gasPrice()
      const block: Block = { number: head() + 1, hash: `0xb${branch}-${head() + 1}-${price}`, transactions: [] }
      blocks.push(block)
      for (;;) {
        const next = pool
          .filter(({ nonce }) => nonce === used())
          .sort((left, right) => Number(right.gasPrice - left.gasPrice) * (prefersOld ? -1 : 1))[0]
        if (!next) break
        // Whom a token refuses in one block it may pay in the block of another branch. What it has paid it pays there too: that a
        // payment is undone an operator is told, and no more.
        const batch = next.hash.replace(/(r\d+)+$/, '')
        const before = paidBy.get(batch)
        const paid = next.pays.map(({ receiver }, place) => before?.[place] === true || !refused.has(receiver))
        paidBy.set(batch, paid)
        block.transactions.push({
          signed: next,
          fee: (price + next.gasPrice) * BigInt(21_000 + 7 * next.pays.length),
          paid,
        })
        pool = pool.filter(({ nonce }) => nonce !== next.nonce)
      }
    },
    reorganise: (depth, isForgotten) => {
      const kept = Math.max(head() - Math.min(depth, FINAL_DEPTH - 1), 0)
      const dropped = blocks.slice(kept).flatMap(({ transactions }) => transactions)
      blocks = blocks.slice(0, kept)
      branch += 1
      pool = isForgotten ? [] : [...dropped.map((landed) => landed.signed), ...pool]
    },
    forget: () => {
      pool = []
    },
    received: () => receivedIn(blocks),
    spent: () => blocks.flatMap(({ transactions }) => transactions).reduce((sum, { fee }) => sum + fee, 0n),
    isAtRest: () =>
      pool.length === 0 && blocks.slice(-FINAL_DEPTH).every(({ transactions }) => transactions.length === 0),
  }
}

function receivedIn(blocks: readonly Block[]): Map<string, bigint> {
  const got = new Map<string, bigint>()
  for (const { signed, paid } of blocks.flatMap(({ transactions }) => transactions)) {
    for (const [place, { receiver, units }] of signed.pays.entries())
      if (paid[place]) got.set(receiver, (got.get(receiver) ?? 0n) + units)
  }
  return got
}

interface View {
  signed: Map<string, Signed>
  take: (one: Signed) => void
  placeOf: (hash: string) => { block: Block; landed: Block['transactions'][number] } | undefined
  isPooled: (hash: string) => boolean
  head: () => number
  used: () => number
  blocks: () => readonly Block[]
}

const never = (): never => {
  throw new Error('histories never come here')
}

function portOf(view: View): PayoutChain {
  const { signed, head, used } = view
  return {
    account: '0x7777777777777777777777777777777777777777',
    canSign: true,
    isPastRead: () => true,
    batchMax: BATCH_MAX,
    unminedMax: 4,
    areNoncesOrdered: true,
    prepare: (_chain, { payouts, room, nextNonce, newId }) => {
      const count = Math.min(room, Math.ceil(payouts.length / BATCH_MAX))
      const prepared = Array.from({ length: count }, (_, index) => {
        const some = payouts.slice(index * BATCH_MAX, (index + 1) * BATCH_MAX)
        const hash = `0x${newId()}`
        const pays = some.map(({ receiver, amount }) => ({ receiver, units: toBaseUnits(amount, 6) }))
        const nonce = nextNonce + index
        signed.set(hash, { hash, nonce, pays, gasPrice: 1n })
        return { payouts: some, batchId: newId(), hash, raw: hash, nonce, durableNonce: null, validUntil: null }
      })
      return Promise.resolve({ prepared, insufficientFunds: [], failing: [] })
    },
    readHead: () => Promise.resolve(head()),
    send: (_chain, raw) => {
      const one = signed.get(raw)
      if (!one) throw new Error(`${raw} was never signed`)
      view.take(one)
      return Promise.resolve({ kind: 'sent' })
    },
    retrieve: (_chain, open, withLegs) => statusesOf(view, open, withLegs),
    nonces: {
      raiseFees: (_chain, transaction) => Promise.resolve(raised(view, transaction)),
      free: never,
      isFreed: () => false,
    },
    finality: {
      countUsed: () => Promise.resolve(used()),
      read: () =>
        Promise.resolve({ final: head() - FINAL_DEPTH, hashAt: (number: number) => view.blocks()[number - 1]?.hash }),
    },
    readHoldings: never,
    readForeign: () => Promise.resolve('none'),
    readRaw: never,
    audit: undefined,
  }
}

function raised({ signed }: View, { hash, version }: TreasuryTransaction): { hash: string; raw: string } | undefined {
  const old = signed.get(hash)
  if (!old) return undefined
  const name = `${hash}r${version + 1}`
  signed.set(name, { ...old, hash: name, gasPrice: old.gasPrice + 2n })
  return { hash: name, raw: name }
}

/** As `settlement/evm-retrieve.ts`: a status for each nonce, of the version that landed or else of the newest. */
async function statusesOf(
  view: View,
  open: readonly TreasuryTransaction[],
  withLegs: LegsReader,
): Promise<TransactionStatus[]> {
  const byNonce = [...Map.groupBy(open, ({ nonce }) => nonce ?? 0)]
  const used = byNonce.flatMap(([nonce, versions]) => (nonce < view.used() ? versions : []))
  const landed = (await withLegs(used)).flatMap((one) => landedStatus(view, one))
  const unmined = byNonce.flatMap(([nonce, versions]) => {
    const newest = versions.at(-1)
    if (!newest || nonce < view.used()) return []
    const state = view.isPooled(newest.hash) ? 'waiting' : 'unknown'
    return [{ transaction: newest, state } as const]
  })
  return [...landed, ...unmined]
}

function landedStatus(view: View, one: SignedBatch): TransactionStatus[] {
  const place = view.placeOf(one.transaction.hash)
  if (!place) return []
  const { block, landed } = place
  if (view.head() - block.number + 1 < CHAIN.confirmations) return []
  const fee = { amount: fromBaseUnits(landed.fee, 18), currency: 'POL', decimals: 18 }
  const results = landed.paid.map((isPaid) => (isPaid ? PAID : UNPAID))
  return [{ signed: one, state: 'confirmed', fee, block: { number: block.number, hash: block.hash }, results }]
}

const PAID = { outcome: 'paid' } as const
const UNPAID = { outcome: 'unpaid', reason: 'the token refuses the receiver' } as const
