import type { Transaction } from '../kernel/database.js'
import type { JobRequest } from '../kernel/jobs.js'
import type { Charge, StoredReceivedPayment, StoredRefund } from '../subgraphs/payments/store/charge.entity.js'
import type { Difference } from '../subgraphs/payments/store/differences.js'
import type { LedgerLine } from '../subgraphs/payments/model/ledger-entries.js'
import type { Deposit, NewDeposit, PaymentAddress } from '../subgraphs/payments/model/payment-address.js'
import type { Payable } from '../subgraphs/payments/store/payables.js'
import type { Payment } from '../subgraphs/payments/store/payment.entity.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../subgraphs/payments/store/payout.entity.js'
import type { Quote } from '../subgraphs/payments/store/quotes.js'

/** A line as it stands in the ledger. */
export interface BookedLine extends LedgerLine {
  tenantId: string
  paymentId: string
  entry: string
  line: number
}

/** A payable as it is kept. */
export type KeptPayable = Payable & { isOurs: boolean; version: number; bookedAt: Date }

/** What has come to one. */
export type KeptDeposit = NewDeposit & Pick<Deposit, 'verdict'> & { isUndone: boolean; isApplied: boolean }

/** The tables that the use cases of a history read and write. */
export interface Tables {
  payments: Payment[]
  charges: Charge[]
  receipts: StoredReceivedPayment[]
  refunds: StoredRefund[]
  payouts: Payout[]
  transactions: TreasuryTransaction[]
  legs: BatchLeg[]
  quotes: Quote[]
  payables: KeptPayable[]
  lines: BookedLine[]
  differences: Difference[]
  addresses: PaymentAddress[]
  deposits: KeptDeposit[]
  jobs: JobRequest[]
}

/** The tables in memory, with transactions. Rows are changed in place, and a transaction that fails has changed nothing. */
export interface Memory {
  tables: Tables
  /** One at a time: a history has no two processes at once. */
  transaction: <T>(work: (em: Transaction) => Promise<T>) => Promise<T>
  /** Adds a row whose key no other has. Throws an Error, as the database does, where one has. */
  add: <Name extends keyof Tables>(
    name: Name,
    row: Tables[Name][number],
    key: (row: Tables[Name][number]) => string,
  ) => void
}

/** Values in rows are replaced and never changed, so that a copy of the rows is a copy of all. */
function copyOf(tables: Tables): Tables {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, (rows as object[]).map((row) => ({ ...row }))]),
  ) as unknown as Tables
}

/** Nothing in the code that histories run reads a row through it. */
const EM = { flush: () => Promise.resolve() } as unknown as Transaction

/** Empty tables. */
export function openMemory(): Memory {
  const memory: Memory = {
    tables: {
      payments: [],
      charges: [],
      receipts: [],
      refunds: [],
      payouts: [],
      transactions: [],
      legs: [],
      quotes: [],
      payables: [],
      lines: [],
      differences: [],
      addresses: [],
      deposits: [],
      jobs: [],
    },
    transaction: async (work) => {
      const before = copyOf(memory.tables)
      try {
        return await work(EM)
      } catch (error) {
        memory.tables = before
        throw error
      }
    },
    add: (name, row, key) => {
      const rows = memory.tables[name] as (typeof row)[]
      if (rows.some((one) => key(one) === key(row))) throw new Error(`${name} has ${key(row)} already`)
      rows.push(row)
    },
  }
  return memory
}
