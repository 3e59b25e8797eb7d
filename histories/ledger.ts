import { amountOf, unitsOf } from '../subgraphs/payments/model/signed-amount.js'
import type { LedgerLine } from '../subgraphs/payments/model/ledger-entries.js'
import type { Booking, Debt, LedgerStore } from '../subgraphs/payments/store/ledger.js'
import type { BookedLine, Memory } from './memory.js'

const keyOf = ({ tenantId, paymentId, entry, line }: BookedLine): string => [tenantId, paymentId, entry, line].join(' ')

/** What an account holds: debits less credits, a decimal string with a sign below 0. */
export function balanceOf(lines: readonly BookedLine[], account: string, currency: string): string {
  const of = lines.filter((line) => line.account === account && line.currency === currency)
  return amountOf(of.reduce((sum, { debit, credit }) => sum + unitsOf(debit) - unitsOf(credit), 0n))
}

type Used = Pick<
  LedgerStore,
  | 'book'
  | 'bookAll'
  | 'bookOnce'
  | 'transaction'
  | 'lockRefundBalance'
  | 'feesOf'
  | 'hasGasRecovery'
  | 'isBooked'
  | 'owedOf'
  | 'debts'
  | 'sumOfNumbered'
>

/** The ledger in memory: it refuses what the database refuses, a line that is there and an entry that does not balance. */
export function ledgerIn(memory: Memory): Used {
  const { transaction } = memory
  const bookAll = (_em: unknown, booked: readonly Booking[]): Promise<void> => {
    for (const { about, entries } of booked)
      for (const entry of entries) {
        assertBalanced(entry.entry, entry.lines)
        const { tenantId, paymentId } = about
        for (const [line, one] of entry.lines.entries())
          memory.add('lines', { ...one, tenantId, paymentId, entry: entry.entry, line }, keyOf)
      }
    return Promise.resolve()
  }
  const find = (tenantId: string, paymentId: string): BookedLine[] =>
    memory.tables.lines.filter((line) => line.tenantId === tenantId && line.paymentId === paymentId)
  const isBooked: Used['isBooked'] = (_em, { tenantId, paymentId, entry }) =>
    Promise.resolve(find(tenantId, paymentId).some((line) => line.entry === entry))
  const isOf = (entry: string, kind: string, hashes: readonly string[]): boolean => {
    const [first, hash = ''] = entry.split(':')
    return first === kind && hashes.includes(hash)
  }
  return {
    bookAll,
    book: (em, about, ...entries) => bookAll(em, [{ about, entries }]),
    transaction,
    isBooked,
    owedOf: (_em, { tenantId, paymentId, currency }) => {
      const { receipts, refunds } = memory.tables
      const isOurs = (receiptId: string): boolean =>
        receipts.some((one) => one.id === receiptId && one.paymentId === paymentId && one.currency === currency)
      const open = refunds.filter(
        (one) => one.origin === 'service' && one.status !== 'done' && one.status !== 'refused' && isOurs(one.receiptId),
      )
      const held = unitsOf(balanceOf(find(tenantId, paymentId), 'tenant', currency))
      return Promise.resolve(amountOf(open.reduce((units, { amount }) => units + unitsOf(amount), held)))
    },
    // All at once: there are none after them.
    debts: ({ after }) => Promise.resolve(after ? [] : debtsIn(memory)),
    sumOfNumbered: (_em, { tenantId, paymentId, name, account }) => {
      const lines = find(tenantId, paymentId).filter((one) => one.account === account && one.entry.startsWith(name))
      const amount = amountOf(lines.reduce((units, { debit, credit }) => units + unitsOf(debit) - unitsOf(credit), 0n))
      return Promise.resolve({ amount, entries: lines.length })
    },
    bookOnce: (about, entry, also) =>
      transaction(async (em) => {
        if (await isBooked(em, { ...about, entry: entry.entry })) return false
        await bookAll(em, [{ about, entries: [entry] }])
        await also?.(em)
        return true
      }),
    lockRefundBalance: (_em, { tenantId, currency }) => {
      const ours = memory.tables.lines.filter((line) => line.tenantId === tenantId)
      return Promise.resolve(amountOf(-unitsOf(balanceOf(ours, 'tenant:refunds', currency))))
    },
    feesOf: (_em, { tenantId, paymentId, hashes, account }) => {
      const lines = find(tenantId, paymentId).filter(
        (line) => line.account === account && isOf(line.entry, 'fee', hashes),
      )
      const fee = lines.reduce((sum, { debit, credit }) => sum + unitsOf(credit) - unitsOf(debit), 0n)
      return Promise.resolve({ fee: amountOf(fee), entries: lines.length })
    },
    hasGasRecovery: (_em, { tenantId, paymentId, hashes }) => {
      const names = hashes.map((hash) => `gas:${hash}`)
      return Promise.resolve(find(tenantId, paymentId).some(({ entry }) => names.includes(entry)))
    },
  }
}

function debtsIn({ tables: { lines, receipts, refunds } }: Memory): Debt[] {
  const gone = refunds.filter(({ origin, status }) => origin === 'provider' && status === 'done')
  const debts = receipts.filter(({ id }) => gone.some(({ receiptId }) => receiptId === id))
  const heldOf = ({ paymentId, currency }: Debt): bigint =>
    unitsOf(
      balanceOf(
        lines.filter((line) => line.paymentId === paymentId),
        'tenant',
        currency,
      ),
    )
  return debts
    .map(({ tenantId, paymentId, currency }) => ({ tenantId, paymentId, currency }))
    .filter((debt) => heldOf(debt) > 0n)
}

function assertBalanced(entry: string, lines: readonly LedgerLine[]): void {
  for (const ofCurrency of Map.groupBy(lines, ({ currency }) => currency).values()) {
    const off = ofCurrency.reduce((sum, { debit, credit }) => sum + unitsOf(debit) - unitsOf(credit), 0n)
    if (off !== 0n) throw new Error(`entry ${entry} does not balance: ${amountOf(off)}`)
  }
  const isOneSided = ({ debit, credit }: LedgerLine): boolean => unitsOf(debit) > 0n !== unitsOf(credit) > 0n
  if (!lines.every(isOneSided)) throw new Error(`entry ${entry} has a line of nothing`)
}
