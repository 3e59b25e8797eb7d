import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'

const READ = `select closed_to as "closedTo", balanced_to as "balancedTo", now() as now from payments.ledger_fence`

/** Where the ledger is closed up to, and how far the balances go; both are ends that are not part of it. */
export interface LedgerFence {
  closedTo: Date
  balancedTo: Date
}

/** A transaction that books holds up the fence no longer than this; the next try of the job succeeds. */
const LOCK_TIMEOUT = `set local lock_timeout = '5s'`
/** Whoever is booking ends first, and whoever comes later sees the fence. */
const WAIT_FOR_BOOKINGS = 'lock table payments.ledger_line in share mode'
const MOVE_FENCE = `update payments.ledger_fence set closed_to = ?::timestamptz where closed_to < ?::timestamptz`

const FIRST_LINE = 'select min(created_at) as "firstAt" from payments.ledger_line where created_at >= ?::timestamptz'

const LOCK_FENCE = 'select balanced_to as "balancedTo" from payments.ledger_fence for update'
/** Adds a period to the balances, and writes down those that have changed in it. */
const SUM_UP = `with fresh as (select tenant_id, account, currency, sum(debit) as debit, sum(credit) as credit
    from payments.ledger_line where created_at >= ?::timestamptz and created_at < ?::timestamptz group by 1, 2, 3),
  held as (insert into payments.ledger_balance as balance (tenant_id, account, currency, debit, credit)
    select tenant_id, account, currency, debit, credit from fresh
    on conflict (tenant_id, account, currency) do update
      set debit = balance.debit + excluded.debit, credit = balance.credit + excluded.credit
    returning balance.*)
  insert into payments.ledger_close (tenant_id, account, currency, debit, credit, closed_to)
    select tenant_id, account, currency, debit, credit, ?::timestamptz from held`
const MOVE_BALANCES = 'update payments.ledger_fence set balanced_to = ?::timestamptz'

const DAY_MS = 86_400_000

/** Where the ledger is closed. */
export function readFence(db: Database): Promise<LedgerFence> {
  return inTransaction(db, readFenceIn)
}

/** The same in the transaction of `em`. */
export async function readFenceIn(em: EntityManager): Promise<LedgerFence> {
  const [row] = await executeIn<{ closedTo: string; balancedTo: string }>(em, READ, [])
  return { closedTo: new Date(row?.closedTo ?? 0), balancedTo: new Date(row?.balancedTo ?? 0) }
}

/**
 * Closes the ledger up to a time, day by day: first nothing can be booked there any more, then each day's lines are added to
 * the balances. After a crash the next call does the rest. What is closed already stays.
 * @param to not part of what is closed; some time past, as a program's clock may be behind
 */
export async function closeLedger(db: Database, to: Date): Promise<LedgerFence> {
  await inTransaction(db, async (em) => {
    await executeIn(em, LOCK_TIMEOUT, [])
    await executeIn(em, WAIT_FOR_BOOKINGS, [])
    await executeIn(em, MOVE_FENCE, [to.toISOString(), to.toISOString()])
  })
  for (;;) {
    const { closedTo, balancedTo } = await readFence(db)
    if (balancedTo >= closedTo) return { closedTo, balancedTo }
    await sumUpDay(db, balancedTo, closedTo)
  }
}

async function sumUpDay(db: Database, from: Date, closedTo: Date): Promise<void> {
  await inTransaction(db, async (em) => {
    const [fence] = await executeIn<{ balancedTo: string }>(em, LOCK_FENCE, [])
    // Another process has summed it up meanwhile.
    if (new Date(fence?.balancedTo ?? 0).getTime() !== from.getTime()) return
    const [first] = await executeIn<{ firstAt: string | null }>(em, FIRST_LINE, [from.toISOString()])
    const firstMs = first?.firstAt == null ? Infinity : new Date(first.firstAt).getTime()
    const endOfDay = (Math.floor(firstMs / DAY_MS) + 1) * DAY_MS
    const end = new Date(Math.min(endOfDay, closedTo.getTime())).toISOString()
    await executeIn(em, SUM_UP, [from.toISOString(), end, end])
    await executeIn(em, MOVE_BALANCES, [end])
  })
}
