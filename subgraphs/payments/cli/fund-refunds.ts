import type { Clock } from '../../../kernel/clock.js'
import { UsageError } from '../../../kernel/command-line.js'
import { inTransaction, type Database, type Transaction } from '../../../kernel/database.js'
import { compare, decimalsOf, isAmount, isPositive } from '../../../kernel/money.js'
import { refundTopUpEntry, type LedgerEntry, type Money } from '../model/ledger-entries.js'
import { FIAT_DECIMALS } from '../model/proportion.js'
import { ledgerStore, type LedgerStore } from '../store/ledger.js'

/** What stands in a line of the ledger for a payment where the line belongs to none. */
export const NO_PAYMENT = '-'

/** Currencies have three letters; payments by address are given back in their token. */
const FIAT_CODE = 3
const TOKEN_DECIMALS = 6

/** What a tenant has paid in, so that payers can be refunded whose receivers were paid. */
export interface RefundTopUp {
  tenantId: string
  amount: string
  currency: string
  /** What names the payment at the bank: it is booked once. */
  reference: string
}

/** The options that say so at the command line. */
export const TRANSFER_OPTIONS = {
  tenant: { type: 'string', default: '' },
  amount: { type: 'string', default: '' },
  currency: { type: 'string', default: 'BRL' },
  reference: { type: 'string', default: '' },
} as const

/** Reads them. @param decimalsMax of the amount; by default what its currency has @throws UsageError */
export function readTransfer(values: Readonly<Record<string, unknown>>, decimalsMax?: number): RefundTopUp {
  const { tenant: tenantId, ...rest } = values as Record<keyof typeof TRANSFER_OPTIONS, string>
  const transfer = { tenantId, amount: rest.amount, currency: rest.currency, reference: rest.reference }
  const problem = topUpProblem(transfer, decimalsMax)
  if (problem !== undefined) throw new UsageError(problem)
  return transfer
}

/** What is wrong with a top-up; undefined where nothing is. */
function topUpProblem(
  { tenantId, amount, currency, reference }: Partial<RefundTopUp>,
  decimalsMax: number | undefined,
): string | undefined {
  if (!tenantId) return '--tenant is required'
  if (!/^[A-Z]{3,10}$/.test(currency ?? '')) return '--currency has to be a code such as BRL, or a token such as USDT'
  const decimals = decimalsMax ?? (currency?.length === FIAT_CODE ? FIAT_DECIMALS : TOKEN_DECIMALS)
  const isMoney = isAmount(amount) && isPositive(amount) && decimalsOf(amount) <= decimals
  if (!isMoney) return `--amount has to be above 0, with ${decimals} decimals at most`
  return /^[\w.:-]{1,80}$/.test(reference ?? '') ? undefined : '--reference has to be 1 to 80 letters, digits or _.:-'
}

/** A transfer that is to be booked. */
interface WantedTransfer extends Money {
  tenantId: string
  entry: LedgerEntry
  paymentId: string
  reference: string
}

/**
 * Whether a transfer was booked before just like this.
 * @throws UsageError that names the option in which the two differ: one transfer cannot have been both
 */
export async function isRepeat(
  ledger: Pick<LedgerStore, 'findTransfer'>,
  em: Transaction,
  wanted: WantedTransfer,
): Promise<boolean> {
  const booked = await ledger.findTransfer(em, wanted)
  if (!booked) return false
  const { reference } = wanted
  const was = `${booked.amount} ${booked.currency} were booked by ${reference} before`
  if (booked.entry !== wanted.entry.entry || booked.paymentId !== wanted.paymentId)
    throw new UsageError(`--reference was used for something else: ${was}, as ${booked.entry}.`)
  if (booked.currency !== wanted.currency) throw new UsageError(`--currency is another one than before: ${was}.`)
  if (compare(booked.amount, wanted.amount) !== 0) throw new UsageError(`--amount is another one than before: ${was}.`)
  return true
}

/**
 * Books what a tenant has paid in for refunds, once per reference.
 * @returns the balance for refunds after it; undefined where the same was booked before
 * @throws UsageError where the reference was booked for something else
 */
export function fundRefunds(db: Database, clock: Clock, topUp: RefundTopUp): Promise<string | undefined> {
  const { tenantId, amount, currency, reference } = topUp
  const ledger = ledgerStore(db)
  return inTransaction(db, async (em) => {
    // First, as it also keeps a second one with the reference out until this one is there.
    await ledger.lockRefundBalance(em, { tenantId, currency })
    const about = { tenantId, paymentId: NO_PAYMENT, at: clock.now() }
    const entry = refundTopUpEntry(reference, { amount, currency })
    if (await isRepeat(ledger, em, { entry, paymentId: NO_PAYMENT, ...topUp })) return undefined
    await ledger.book(em, about, entry)
    return ledger.lockRefundBalance(em, { tenantId, currency })
  })
}
