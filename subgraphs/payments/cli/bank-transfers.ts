import { systemClock } from '../../../kernel/clock.js'
import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { compare } from '../../../kernel/money.js'
import {
  debtPaidEntry,
  paidByBankEntry,
  reserveReleasedEntry,
  type LedgerEntry,
  type Money,
} from '../model/ledger-entries.js'
import { amountOf, unitsOf } from '../model/signed-amount.js'
import { recoverDebts } from '../settlement/recover-debt.js'
import { chargesStore } from '../store/charges.js'
import { ledgerStore } from '../store/ledger.js'
import { paymentsStore } from '../store/payments.js'
import { NO_PAYMENT, topUpProblem } from './fund-refunds.js'

const OPTIONS = {
  tenant: { type: 'string', default: '' },
  amount: { type: 'string', default: '' },
  currency: { type: 'string', default: 'BRL' },
  reference: { type: 'string', default: '' },
} as const
const OF_PAYMENT = { ...OPTIONS, payment: { type: 'string' } } as const

type Answer = Promise<{ answer: object; code: number }>

/** Books what a tenant has paid by bank of what a payment has left it owing. @throws UsageError, also where that is less */
export function settleDebt(db: Database, args: readonly string[]): Answer {
  return bookOfPayment(db, args, (reference, money, owed) => {
    assertWithin(money, owed, 'the payment has left the tenant owing')
    return debtPaidEntry(reference, money)
  })
}

/** Books what a tenant was paid by bank of what a payment has left it owed. @throws UsageError, also where that is less */
export function payTenant(db: Database, args: readonly string[]): Answer {
  return bookOfPayment(db, args, (reference, money, owed) => {
    assertWithin(money, amountOf(-unitsOf(owed)), 'the tenant is owed of the payment')
    return paidByBankEntry(reference, money)
  })
}

/** Books what a tenant was paid by bank of what it had set aside for refunds, less what it owes. @throws UsageError, also where that is less */
export async function releaseReserve(db: Database, args: readonly string[]): Answer {
  const { tenantId, reference, money } = readTransfer(readOptions(args, OPTIONS))
  const ledger = ledgerStore(db)
  await recoverDebts({ ledger, clock: systemClock, payments: paymentsStore(db, systemClock) }, tenantId)
  const about = { tenantId, paymentId: NO_PAYMENT, at: systemClock.now() }
  const entry = reserveReleasedEntry(reference, money)
  const of = { tenantId, currency: money.currency }
  const { isBooked, left } = await inTransaction(db, async (em) => {
    const held = await ledger.lockRefundBalance(em, of)
    const before = await ledger.isBooked(em, { ...about, entry: entry.entry })
    if (!before) {
      assertWithin(money, held, 'the tenant has set aside')
      await ledger.book(em, about, entry)
    }
    return { isBooked: !before, left: await ledger.lockRefundBalance(em, of) }
  })
  return { answer: { tenantId, reference, ...money, booked: isBooked, balance: left }, code: isBooked ? 0 : 1 }
}

type EntryOf = (reference: string, money: Money, owed: string) => LedgerEntry

/** Under the payment's row lock, as all that is booked of its money; in the currency that its payer was charged. */
async function bookOfPayment(db: Database, args: readonly string[], entryOf: EntryOf): Answer {
  const values = readOptions(args, OF_PAYMENT)
  const { tenantId, reference, money } = readTransfer(values)
  const paymentId = neededOption(values, 'payment')
  const ledger = ledgerStore(db)
  const payments = paymentsStore(db, systemClock)
  const { chargeId } = (await payments.find(tenantId, paymentId)) ?? {}
  const charge = chargeId == null ? undefined : await chargesStore(db).find(tenantId, chargeId)
  if (charge?.currency !== money.currency)
    throw new UsageError(`--payment has to be one of the tenant's that was charged in ${money.currency}.`)
  let answer = { booked: false, owed: '0' }
  await payments.change(tenantId, paymentId, async (_payment, em) => {
    const of = { tenantId, paymentId, currency: money.currency }
    const owed = await ledger.owedOf(em, of)
    const about = { tenantId, paymentId, at: systemClock.now() }
    const isBefore = await isBookedBy(ledger, em, about, reference)
    if (!isBefore) await ledger.book(em, about, entryOf(reference, money, owed))
    answer = { booked: !isBefore, owed: await ledger.owedOf(em, of) }
    return undefined
  })
  return { answer: { tenantId, paymentId, reference, ...money, ...answer }, code: answer.booked ? 0 : 1 }
}

/** A payment by bank is booked once, whichever way it went. */
async function isBookedBy(
  ledger: ReturnType<typeof ledgerStore>,
  em: Parameters<ReturnType<typeof ledgerStore>['isBooked']>[0],
  about: { tenantId: string; paymentId: string },
  reference: string,
): Promise<boolean> {
  const names = [`debt-paid:${reference}`, `paid-by-bank:${reference}`]
  for (const entry of names) if (await ledger.isBooked(em, { ...about, entry })) return true
  return false
}

function readTransfer(values: Readonly<Record<string, unknown>>): {
  tenantId: string
  reference: string
  money: Money
} {
  const { tenant: tenantId, amount, currency, reference } = values as Record<keyof typeof OPTIONS, string>
  const problem = topUpProblem({ tenantId, amount, currency, reference })
  if (problem !== undefined) throw new UsageError(problem)
  return { tenantId, reference, money: { amount, currency } }
}

function assertWithin({ amount, currency }: Money, most: string, what: string): void {
  const isWithin = unitsOf(most) > 0n && compare(amount, most) <= 0
  if (!isWithin) throw new UsageError(`--amount is more than ${what}: ${most} ${currency}.`)
}
