import { systemClock } from '../../../kernel/clock.js'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { compare } from '../../../kernel/money.js'
import { debtPaidEntry, paidByBankEntry, REFUND_BALANCE, TENANT, type LedgerEntry } from '../model/ledger-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import { ledgerStore, type LedgerStore } from '../store/ledger.js'
import { NO_PAYMENT, topUpProblem, type RefundTopUp } from './fund-refunds.js'

const OPTIONS = {
  tenant: { type: 'string', default: '' },
  amount: { type: 'string', default: '' },
  currency: { type: 'string', default: 'BRL' },
  reference: { type: 'string', default: '' },
  from: { type: 'string', default: 'balance' },
} as const

const ACCOUNTS = { balance: TENANT, refunds: REFUND_BALANCE } as const

/** Money that has passed between a tenant and us by bank, and is about to be booked. */
interface BankTransfer extends RefundTopUp {
  entry: LedgerEntry
  /** The most that it may be, and what that is, as `the tenant owes`. */
  most: string
  what: string
}

type Answer = Promise<{ answer: object; code: number }>

/** Books what a tenant has paid by bank of what it owes. @throws UsageError, also where that is less */
export async function settleDebt(db: Database, args: readonly string[]): Answer {
  const transfer = readTransfer(args)
  const entry = debtPaidEntry(transfer.reference, transfer)
  return bookTransfer(db, transfer, ({ tenant }) => ({ entry, most: tenant, what: 'the tenant owes' }))
}

/** Books what a tenant was paid by bank of what it is owed, or of what it has set aside. @throws UsageError, also where that is less */
export async function payTenant(db: Database, args: readonly string[]): Answer {
  const transfer = readTransfer(args)
  const from = neededOption(readOptions(args, OPTIONS), 'from')
  if (from !== 'balance' && from !== 'refunds') throw new UsageError('--from has to be balance or refunds.')
  const entry = paidByBankEntry(transfer.reference, ACCOUNTS[from], transfer)
  return bookTransfer(db, transfer, ({ tenant, refunds }) => ({
    entry,
    most: negated(from === 'balance' ? tenant : refunds),
    what: from === 'balance' ? 'the tenant is owed' : 'the tenant has set aside for refunds',
  }))
}

function readTransfer(args: readonly string[]): RefundTopUp {
  const { tenant, amount, currency, reference } = readOptions(args, OPTIONS) as Record<keyof typeof OPTIONS, string>
  const transfer = { tenantId: tenant, amount, currency, reference }
  const problem = topUpProblem(transfer)
  if (problem !== undefined) throw new UsageError(problem)
  return transfer
}

/** What the tenant's accounts hold: debits less credits. */
type Held = Record<'tenant' | 'refunds', string>

async function bookTransfer(
  db: Database,
  transfer: RefundTopUp,
  limitsOf: (held: Held) => Pick<BankTransfer, 'entry' | 'most' | 'what'>,
): Answer {
  const { tenantId, amount, currency, reference } = transfer
  const ledger = ledgerStore(db)
  const booked = await inTransaction(db, async (em) => {
    // First: nobody else pays or is paid meanwhile, and no refund is ordered.
    await ledger.lockRefundBalance(em, { tenantId, currency })
    const { entry, most, what } = limitsOf(await heldBy(ledger, transfer))
    const about = { tenantId, paymentId: NO_PAYMENT, at: systemClock.now() }
    if (await ledger.isBooked(em, { ...about, entry: entry.entry })) return false
    if (unitsOf(most) <= 0n || compare(amount, most) > 0) throw new UsageError(`--amount is more than ${what}.`)
    await ledger.book(em, about, entry)
    return true
  })
  const { tenant, refunds } = await heldBy(ledger, transfer)
  const left = { balance: negated(tenant), refunds: negated(refunds) }
  return { answer: { tenantId, reference, currency, booked, ...left }, code: booked ? 0 : 1 }
}

async function heldBy(ledger: LedgerStore, { tenantId, currency }: RefundTopUp): Promise<Held> {
  const rows = await ledger.balances(tenantId)
  const of = (account: string): string =>
    rows.find((row) => row.account === account && row.currency === currency)?.balance ?? '0'
  return { tenant: of(TENANT), refunds: of(REFUND_BALANCE) }
}

const negated = (amount: string): string => amountOf(-unitsOf(amount))
