import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { idempotently } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { PaymentsDeps } from '../deps.js'
import type { Rail } from '../rails/rail.js'
import type { Payment } from '../store/payment.entity.js'
import { findPayment } from './find-payment.js'
import { assertTransition } from './payment-status.js'
import type { TransactionType } from './transaction-type.js'

/** What a payer sends to pay a payment; which fields are needed depends on the type. */
export interface CreateTransactionInput {
  paymentId: string
  transactionType: TransactionType
  payerEmail: string
  payerWallet?: string | null
  chainName?: string | null
  payerTokenSymbol?: string | null
}

/** Every failure of the input, as far as its fields are there. */
export function checkCreateTransaction(
  deps: Pick<PaymentsDeps, 'settings' | 'rails'>,
  input: Partial<CreateTransactionInput>,
): FieldFailure[] {
  const type = input.transactionType
  if (type === undefined) return []
  const rail = railOf(deps, type)
  if (!rail) return [{ field: 'transactionType', message: `${type} payments are not available yet` }]
  return rail.check(deps, input)
}

/**
 * Starts an attempt to pay a payment: what the payer needs is made and kept with it, and the payment is pending.
 * @throws validation_error, product_disabled, payment_not_found, payment_already_processed, idempotency_*, and what the rail
 *   throws (provider_unavailable, provider_timeout, …)
 */
export async function createTransaction(
  deps: PaymentsDeps,
  tenant: Tenant,
  input: CreateTransactionInput,
): Promise<Payment> {
  const failures = checkCreateTransaction(deps, input)
  const rail = railOf(deps, input.transactionType)
  if (failures.length > 0 || !rail) throw validationError(failures)
  if (!tenant.products.includes(rail.productOf(input.transactionType))) throw new AppError('product_disabled')
  const payment = await findPayment(deps, tenant, { id: input.paymentId })
  assertAllowed(payment, rail, input.transactionType)
  assertMayStart(payment)
  const answer = await idempotently<{ paymentId: string; sequence: number }>(deps, tenant, async (complete) => {
    const { change, quote } = await rail.start(deps, payment, input)
    const changed = await deps.payments.change(tenant.id, payment.id, async (locked, em) => {
      assertMayStart(locked)
      deps.quotes.add(em, quote)
      await complete(em, { paymentId: payment.id, sequence: locked.sequence + 1 })
      // A transaction that is only built afresh leaves the status as it is, which is no news to tenants.
      return { change, cause: 'transaction_created', notify: locked.status !== 'pending' }
    })
    if (!changed) throw new AppError('payment_not_found')
    return { paymentId: payment.id, sequence: changed.sequence }
  })
  const created = await deps.payments.findAt(tenant.id, answer.paymentId, answer.sequence)
  if (!created) throw new AppError('payment_not_found')
  return created
}

function railOf({ rails }: Pick<PaymentsDeps, 'rails'>, type: TransactionType): Rail | undefined {
  return rails.find(({ types }) => types[type] !== undefined)
}

function assertAllowed(payment: Payment, rail: Rail, type: TransactionType): void {
  const method = rail.types[type]
  if (method && payment.paymentMethodAllowed[method]) return
  throw validationError([{ field: 'transactionType', message: `the payment does not allow ${type}` }])
}

/** A signed transaction that was handed to the chain cannot be taken back: no second attempt beside it. */
function assertMayStart(payment: Payment): void {
  assertTransition(payment.status, 'pending')
  if (payment.status === 'pending' && payment.signedTransaction) throw new AppError('payment_already_processed')
}
