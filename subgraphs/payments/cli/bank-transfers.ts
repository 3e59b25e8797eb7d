import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { inTransaction } from '../../../kernel/database.js'
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
import type { Answer, Books } from './answer.js'
import { isRepeat, NO_PAYMENT, readTransfer, TRANSFER_OPTIONS } from './fund-refunds.js'

const OF_PAYMENT = { ...TRANSFER_OPTIONS, payment: { type: 'string' } } as const

/** So small are the units of a chain's coin. */
const COIN_DECIMALS = 18

/**
 * Books what a tenant has paid of what a payment has left it owing; without a payment, of the gas of its payouts that it bears.
 * @throws UsageError, also where that is less
 */
export function settleDebt(books: Books, args: readonly string[]): Answer {
  if (readOptions(args, OF_PAYMENT)['payment'] === undefined) return settleGas(books, args)
  const [mostOf, what] = [(owed: string) => owed, 'the payment has left the tenant owing']
  return bookOfPayment(books, args, { entryOf: debtPaidEntry, mostOf, what })
}

/** Gas is owed over all payments: nobody pays it for each. */
async function settleGas({ db, clock }: Books, args: readonly string[]): Answer {
  const { tenantId, reference, ...money } = readTransfer(readOptions(args, OF_PAYMENT), COIN_DECIMALS)
  const ledger = ledgerStore(db)
  const about = { tenantId, paymentId: NO_PAYMENT, at: clock.now() }
  const entry = debtPaidEntry(reference, money)
  const wanted = { tenantId, entry, reference, ...money }
  const of = { tenantId, currency: money.currency }
  const { isBefore, owed } = await inTransaction(db, async (em) => {
    // First, as it also keeps a second one with the reference out until this one is there.
    await ledger.lockRefundBalance(em, of)
    const before = await isRepeat(ledger, em, { ...wanted, paymentId: NO_PAYMENT })
    if (!before) {
      assertWithin(money, await ledger.gasOwed(em, of), 'the tenant owes of the gas of its payouts')
      await ledger.book(em, about, entry)
    }
    return { isBefore: before, owed: await ledger.gasOwed(em, of) }
  })
  return { answer: { tenantId, reference, ...money, booked: !isBefore, owed }, code: isBefore ? 1 : 0 }
}

/** Books what a tenant was paid by bank of what a payment has left it owed. @throws UsageError, also where that is less */
export function payTenant(books: Books, args: readonly string[]): Answer {
  const [mostOf, what] = [(owed: string) => amountOf(-unitsOf(owed)), 'the tenant is owed of the payment']
  return bookOfPayment(books, args, { entryOf: paidByBankEntry, mostOf, what })
}

/** Books what a tenant was paid by bank of what it had set aside for refunds, less what it owes. @throws UsageError, also where that is less */
export async function releaseReserve({ db, clock }: Books, args: readonly string[]): Answer {
  const { tenantId, reference, ...money } = readTransfer(readOptions(args, TRANSFER_OPTIONS))
  const ledger = ledgerStore(db)
  await recoverDebts({ ledger, clock, payments: paymentsStore(db, clock) }, tenantId)
  const about = { tenantId, paymentId: NO_PAYMENT, at: clock.now() }
  const entry = reserveReleasedEntry(reference, money)
  const wanted = { tenantId, entry, reference, ...money }
  const of = { tenantId, currency: money.currency }
  const { isBooked, left } = await inTransaction(db, async (em) => {
    const held = await ledger.lockRefundBalance(em, of)
    const before = await isRepeat(ledger, em, { ...wanted, paymentId: NO_PAYMENT })
    if (!before) {
      assertWithin(money, held, 'the tenant has set aside')
      await ledger.book(em, about, entry)
    }
    return { isBooked: !before, left: await ledger.lockRefundBalance(em, of) }
  })
  return { answer: { tenantId, reference, ...money, booked: isBooked, balance: left }, code: isBooked ? 0 : 1 }
}

/** What passes by bank, and how much of it may. */
interface BankTransfer {
  entryOf: (reference: string, money: Money) => LedgerEntry
  mostOf: (owed: string) => string
  what: string
}

/** Under the payment's row lock, as all that is booked of its money; in the currency that its payer was charged. */
async function bookOfPayment({ db, clock }: Books, args: readonly string[], transfer: BankTransfer): Answer {
  const values = readOptions(args, OF_PAYMENT)
  const { tenantId, reference, ...money } = readTransfer(values)
  const entry = transfer.entryOf(reference, money)
  const wanted = { tenantId, entry, reference, ...money }
  const paymentId = neededOption(values, 'payment')
  const ledger = ledgerStore(db)
  const payments = paymentsStore(db, clock)
  const { chargeId } = (await payments.find(tenantId, paymentId)) ?? {}
  const charge = chargeId == null ? undefined : await chargesStore(db).find(tenantId, chargeId)
  if (charge?.currency !== money.currency)
    throw new UsageError(`--payment has to be one of the tenant's that was charged in ${money.currency}.`)
  let answer = { booked: false, owed: '0' }
  await payments.change(tenantId, paymentId, async (_payment, em) => {
    const of = { tenantId, paymentId, currency: money.currency }
    // As it also keeps a second one with the reference out until this one is there, whatever that is booked for.
    await ledger.lockRefundBalance(em, of)
    const owed = await ledger.owedOf(em, of)
    const about = { tenantId, paymentId, at: clock.now() }
    const isBefore = await isRepeat(ledger, em, { ...wanted, paymentId })
    if (!isBefore) {
      assertWithin(money, transfer.mostOf(owed), transfer.what)
      await ledger.book(em, about, entry)
    }
    answer = { booked: !isBefore, owed: await ledger.owedOf(em, of) }
    return undefined
  })
  return { answer: { tenantId, paymentId, reference, ...money, ...answer }, code: answer.booked ? 0 : 1 }
}

function assertWithin({ amount, currency }: Money, most: string, what: string): void {
  const isWithin = unitsOf(most) > 0n && compare(amount, most) <= 0
  if (!isWithin) throw new UsageError(`--amount is more than ${what}: ${most} ${currency}.`)
}
