import { assertMayStart } from '../../model/attempt-rules.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import { pendingChange } from './new-charge.js'
import { rivalOf } from './rival-charge.js'

/** What refusing a charge needs. */
export type RefuseChargeDeps = Pick<Stores, 'charges' | 'payments'>

/**
 * The provider does not take the charge: a refusal, which the tenant is told of. Where another request has handed a charge out meanwhile, or
 * money has come for one before, the payment is that one's, and only the refused charge ends.
 * @param read the payment as it was before the provider was asked
 * @throws payment_already_processed where no attempt may start any more
 */
export async function refuseCharge(
  { charges, payments }: RefuseChargeDeps,
  charge: Charge,
  { input, read }: { input: CreateTransactionInput; read: Payment },
): Promise<void> {
  const { tenantId, paymentId, payerMasked } = charge
  await payments.change(tenantId, paymentId, async (payment, em) => {
    // Another request of the same payer went on with the same charge, and the provider took it.
    if (payment.chargeId === charge.id) return undefined
    assertMayStart(payment, input.transactionType)
    const { charge: refused } = await charges.load(em, charge)
    refused.state = 'closed'
    if (await rivalOf({ charges }, em, payment, read)) return undefined
    // As for any start: nothing of an attempt before it stays in the record.
    const started = pendingChange(charge, input, payment.toChain)
    const change = { ...started, status: 'reproved' as const, payerCpf: payerMasked, chargeId: null }
    return { change, cause: 'charge_refused', notify: true }
  })
}
