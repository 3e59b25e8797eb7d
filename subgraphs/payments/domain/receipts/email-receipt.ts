import { AppError } from '../../../../kernel/errors.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import { inTransaction, type Database } from '../../../../kernel/database.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import { isPaid } from '../../model/settled.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { findPayment } from '../find-payment.js'
import { receiptJob } from './receipt-jobs.js'

/** The languages that receipts are written in. */
export const RECEIPT_LANGUAGES = ['pt', 'en', 'es'] as const
export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number]

/** Where a payment's receipt by e-mail is. */
export const RECEIPT_STATES = ['unavailable', 'available', 'requested', 'sent'] as const
export type ReceiptState = (typeof RECEIPT_STATES)[number]

/** What wanting a receipt needs. */
export type EmailReceiptDeps = Pick<Stores, 'addJob' | 'payments' | 'receiptEmails'> &
  Pick<Runtime, 'clock'> & {
    database: Database
    /** Absent where the deployment sends no e-mails. */
    sendMail?: ((message: MailMessage) => Promise<void>) | undefined
  }

export interface EmailReceiptInput {
  paymentId: string
  email: string
  language?: ReceiptLanguage | null
}

/**
 * Has the receipt of a payment sent to its payer, who asks for it: once, as soon as the payment has succeeded. What was sent
 * is not sent again, whatever address is named.
 * @throws payment_not_found, product_disabled where the deployment sends no e-mails, invalid_payment_status where no money
 *   has come
 */
export async function emailReceipt(
  deps: EmailReceiptDeps,
  tenant: Tenant,
  { paymentId, email, language }: EmailReceiptInput,
): Promise<Payment> {
  const payment = await findPayment(deps, tenant, { id: paymentId })
  if (!deps.sendMail) throw new AppError('product_disabled', { message: 'This deployment sends no e-mails.' })
  if (!isPaid(payment)) throw new AppError('invalid_payment_status')
  const wanted = { tenantId: tenant.id, paymentId, email: email.trim(), language: language ?? 'en' }
  const now = deps.clock.now()
  await inTransaction(deps.database, async (em) => {
    if (await deps.receiptEmails.want(em, wanted, now)) await deps.addJob(em, receiptJob(wanted, now))
  })
  return payment
}

/** Where the receipt by e-mail of a payment is. @throws payment_not_found */
export async function readReceiptState(
  deps: EmailReceiptDeps,
  tenant: Tenant,
  { id }: { id: string },
): Promise<ReceiptState> {
  const payment = await findPayment(deps, tenant, { id })
  if (!deps.sendMail || !isPaid(payment)) return 'unavailable'
  const wanted = await deps.receiptEmails.find(tenant.id, id)
  if (!wanted) return 'available'
  return wanted.sentAt ? 'sent' : 'requested'
}
