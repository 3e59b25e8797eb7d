import { neededOption, readOptions, UsageError } from '../../../kernel/command-line.js'
import { inTransaction, type Database } from '../../../kernel/database.js'
import { recoverDebts } from '../settlement/recover-debt.js'
import { ledgerStore } from '../store/ledger.js'
import { paymentsStore } from '../store/payments.js'
import { refundsStore } from '../store/refunds.js'
import type { Answer, Books } from './answer.js'
import { fundRefunds, readTransfer, TRANSFER_OPTIONS, type RefundTopUp } from './fund-refunds.js'

/** Books what a tenant has paid in for refunds. @throws UsageError */
export async function fund(books: Books, args: readonly string[]): Answer {
  const topUp = readTransfer(readOptions(args, TRANSFER_OPTIONS))
  const { tenantId: tenant, currency, reference } = topUp
  if (!(await hasPayments(books, tenant)))
    throw new UsageError(`--tenant ${tenant} has no payments that could be refunded.`)
  const booked = await fundRefunds(books.db, books.clock, topUp)
  const balance = booked === undefined ? undefined : await afterDebts(books, topUp)
  const answer = { tenantId: tenant, reference, currency, booked: balance !== undefined, balance }
  return { answer, code: balance === undefined ? 1 : 0 }
}

/** What a tenant owes is taken from it. @returns the balance for refunds after that */
async function afterDebts({ db, clock }: Books, { tenantId, currency }: RefundTopUp): Promise<string> {
  const ledger = ledgerStore(db)
  await recoverDebts({ ledger, clock, payments: paymentsStore(db, clock) }, tenantId)
  return inTransaction(db, (em) => ledger.lockRefundBalance(em, { tenantId, currency }))
}

/** What is booked for a mistyped id would be nobody's: payments know their tenants by what these have registered. */
async function hasPayments({ db, clock }: Books, tenantId: string): Promise<boolean> {
  const [payment] = await paymentsStore(db, clock).list(tenantId, {}, { limit: 1, after: undefined })
  return payment !== undefined
}

/** Sets what a tenant sets aside of its payments for refunds. @throws UsageError */
export async function setReserve(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: { type: 'string' }, percent: { type: 'string' } })
  const [tenantId, percent] = [neededOption(values, 'tenant'), neededOption(values, 'percent')]
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(percent) || Number(percent) > 50)
    throw new UsageError('--percent has to be from 0 to 50, with two decimals at most.')
  await refundsStore(db).setReserve(tenantId, percent)
  return { tenantId, percent }
}
