import { sum } from '../kernel/money.js'
import type { OpenBatch, SignedBatch } from '../subgraphs/payments/store/batches.js'
import type { LandedTransactionsStore } from '../subgraphs/payments/store/landed-transactions.js'
import type { Payout, TreasuryTransaction } from '../subgraphs/payments/store/payout.entity.js'
import { isAwaiting, type PayoutsStore } from '../subgraphs/payments/store/payouts.js'
import type { Memory } from './memory.js'

type PayoutKey = Pick<Payout, 'paymentId' | 'splitIndex'>
const isSame = (left: PayoutKey, right: PayoutKey): boolean =>
  left.paymentId === right.paymentId && left.splitIndex === right.splitIndex

/** Transactions with their legs, of rows that are read only. */
function withLegs({ tables }: Memory, transactions: readonly TreasuryTransaction[]): SignedBatch[] {
  return transactions.map((transaction) => ({
    transaction: { ...transaction },
    legs: tables.legs
      .filter(({ batchId }) => batchId === transaction.batchId)
      .flatMap((leg) => {
        const payout = tables.payouts.find((one) => isSame(one, leg))
        return payout ? [{ leg: { ...leg }, payout: { ...payout } }] : []
      }),
  }))
}

type UsedPayouts = Pick<
  PayoutsStore,
  | 'add'
  | 'lockAll'
  | 'lockOf'
  | 'lockLegs'
  | 'findWaiting'
  | 'nextWaitingAt'
  | 'nextNonce'
  | 'newestBlock'
  | 'claim'
  | 'markSent'
  | 'findOpen'
  | 'withLegs'
  | 'paymentsOf'
  | 'endBatch'
  | 'addVersion'
>

/** Payouts and the transactions that pay them. */
export function payoutsIn(memory: Memory): UsedPayouts {
  const lockOf: UsedPayouts['lockOf'] = (_em, payments) =>
    Promise.resolve(
      memory.tables.payouts
        .filter(({ paymentId }) => payments.some(({ id }) => id === paymentId))
        .sort((left, right) => left.splitIndex - right.splitIndex),
    )
  return {
    lockOf,
    lockAll: (em, payment) => lockOf(em, [payment]),
    add: (_em, payouts) => {
      for (const payout of payouts) memory.add('payouts', payout, (one) => `${one.paymentId} ${one.splitIndex}`)
    },
    lockLegs: (_em, batchId, paymentIds, which) =>
      Promise.resolve(
        memory.tables.legs.filter(
          (leg) =>
            leg.batchId === batchId &&
            paymentIds.includes(leg.paymentId) &&
            (which === 'all' || leg.outcome === null || leg.outcome === 'void'),
        ),
      ),
    findWaiting: (_chainName, now, limit) =>
      Promise.resolve(
        memory.tables.payouts
          .filter(({ state, notBefore }) => state === 'waiting' && notBefore <= now)
          .slice(0, limit)
          .map((payout) => ({ ...payout })),
      ),
    nextWaitingAt: () => {
      const waiting = memory.tables.payouts.filter(({ state }) => state === 'waiting')
      return Promise.resolve(waiting.map(({ notBefore }) => notBefore).toSorted((one, other) => +one - +other)[0])
    },
    nextNonce: () =>
      Promise.resolve(memory.tables.transactions.reduce((next, { nonce }) => Math.max(next, (nonce ?? -1) + 1), 0)),
    newestBlock: () => Promise.resolve(0),
    ...batchWrites(memory),
    findOpen: () => {
      const open = memory.tables.transactions.filter(({ state }) => state === 'stored' || state === 'sent')
      return Promise.resolve(withLegs(memory, open.sort(byNonce)).map(openOf))
    },
    withLegs: (transactions) => Promise.resolve(withLegs(memory, transactions)),
    paymentsOf: (batchId) => {
      const legs = memory.tables.legs.filter((leg) => leg.batchId === batchId)
      return Promise.resolve([...new Set(legs.map(({ paymentId }) => paymentId))])
    },
  }
}

function openOf({ transaction, legs }: SignedBatch): OpenBatch {
  const amount = sum(legs.map(({ leg }) => leg.amount))
  return { transaction, pays: { symbol: legs[0]?.payout.symbol ?? '', amount, count: legs.length } }
}

function byNonce(left: TreasuryTransaction, right: TreasuryTransaction): number {
  return (left.nonce ?? 0) - (right.nonce ?? 0) || left.version - right.version
}

function batchWrites(memory: Memory): Pick<UsedPayouts, 'claim' | 'markSent' | 'endBatch' | 'addVersion'> {
  return {
    claim: (batches) =>
      memory.transaction(() => {
        const claimed: SignedBatch[] = []
        for (const batch of batches) {
          const payouts = batch.legs.map(({ leg }) => memory.tables.payouts.find((one) => isSame(one, leg)))
          const isFree = batch.legs.every(
            ({ leg }, place) => payouts[place]?.state === 'waiting' && payouts[place].attempt === leg.attempt - 1,
          )
          if (!isFree) break
          for (const payout of payouts)
            if (payout) Object.assign(payout, { state: 'sending', attempt: payout.attempt + 1 })
          for (const { leg } of batch.legs) memory.add('legs', { ...leg }, (one) => `${one.batchId} ${one.position}`)
          memory.add('transactions', { ...batch.transaction }, ({ hash }) => hash)
          claimed.push(batch)
        }
        return Promise.resolve(claimed)
      }),
    addVersion: (transaction) =>
      memory.transaction(() => Promise.resolve(memory.add('transactions', { ...transaction }, ({ hash }) => hash))),
    markSent: (transactions) =>
      memory.transaction(() => {
        for (const row of memory.tables.transactions)
          if (row.state === 'stored' && transactions.some(({ hash }) => hash === row.hash)) row.state = 'sent'
        return Promise.resolve()
      }),
    endBatch: ({ hash, batchId }, state, later) =>
      memory.transaction(() => {
        for (const row of memory.tables.transactions) {
          const isIt = row.hash === hash
          if (!isIt && (row.batchId !== batchId || (row.state !== 'stored' && row.state !== 'sent'))) continue
          const block = isIt ? later?.block : undefined
          Object.assign(row, {
            state: isIt ? state : 'void',
            checkAt: isIt ? (later?.at ?? null) : null,
            blockNumber: block?.hash == null ? null : block.number,
            blockHash: block?.hash ?? null,
          } satisfies Partial<TreasuryTransaction>)
        }
        return Promise.resolve()
      }),
  }
}

/** Transactions whose batches are over. */
export function landedIn(memory: Memory): LandedTransactionsStore {
  const followed = () => memory.tables.transactions.filter((one) => one.state === 'confirmed' && one.checkAt !== null)
  return {
    accountsAtWork: () => Promise.resolve([]),
    hasAnyOn: () => Promise.resolve(memory.tables.transactions.some(({ checkAt }) => checkAt !== null)),
    hasAny: () => Promise.resolve(memory.tables.transactions.some(({ checkAt }) => checkAt !== null)),
    findUpTo: (_of, block) =>
      Promise.resolve(
        followed()
          .filter(({ blockNumber }) => (blockNumber ?? 0) <= block)
          .map((one) => ({ ...one })),
      ),
    findFrom: (_of, nonce) => {
      const open = memory.tables.transactions.filter(({ state }) => state === 'stored' || state === 'sent')
      const from = [...followed(), ...open].filter((one) => (one.nonce ?? 0) >= nonce).sort(byNonce)
      const newest = from.filter((one, index) => from[index + 1]?.nonce !== one.nonce)
      return Promise.resolve(newest.map((one) => ({ ...one })))
    },
    findUnpaid: (transactions) =>
      Promise.resolve(
        withLegs(memory, transactions)
          .filter(({ legs }) => legs.some(({ leg, payout }) => leg.outcome === 'unpaid' && isAwaiting(payout, leg)))
          .map(({ transaction }) => transaction),
      ),
    findDropped: () => Promise.resolve([]),
    findVersions: ({ batchId }) =>
      Promise.resolve(
        withLegs(memory, memory.tables.transactions.filter((one) => one.batchId === batchId).sort(byNonce)),
      ),
    checkAt: (transactions, at) =>
      memory.transaction(() => {
        for (const row of memory.tables.transactions)
          if (transactions.some(({ hash }) => hash === row.hash)) row.checkAt = at
        return Promise.resolve()
      }),
    move: (from, to, block) =>
      memory.transaction(() => {
        for (const row of memory.tables.transactions) {
          if (row.hash === from.hash) Object.assign(row, { state: 'void', checkAt: null })
          if (row.hash !== to.hash) continue
          Object.assign(row, {
            state: 'confirmed',
            blockNumber: block.number,
            blockHash: block.hash,
            checkAt: from.checkAt,
          })
        }
        const legs = memory.tables.legs.filter(({ batchId }) => batchId === from.batchId)
        for (const payout of memory.tables.payouts)
          if (payout.hash === from.hash && legs.some((leg) => isSame(leg, payout))) payout.hash = to.hash
        return Promise.resolve()
      }),
  }
}
