import type { FieldFailure } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import { checkCreateTransaction } from './create-transaction.js'
import { checkRegisterCheckoutPayment } from './register-checkout-payment.js'
import { checkRegisterPayment } from './register-payment.js'
import { checkTokenizeCard } from './tokenize-card.js'

/**
 * The rules that an input breaks whose form is bad already, so that a caller is told everything at once.
 * @param asked.operation the kebab-case name
 * @param asked.input what of the input had a good form; enums by their names
 */
export async function findInputFailures(
  deps: PaymentsDeps,
  asked: { operation: string; input: Record<string, unknown> },
): Promise<FieldFailure[]> {
  const { operation, input } = asked
  if (operation === 'register-payment') return checkRegisterPayment(deps, input)
  if (operation === 'register-checkout-payment') return checkRegisterCheckoutPayment(deps, input)
  if (operation === 'tokenize-card') return checkTokenizeCard(deps, input)
  if (operation !== 'create-transaction') return []
  const { transactionType } = input
  return checkCreateTransaction(deps, {
    ...input,
    ...(typeof transactionType === 'string' && { transactionType: transactionType.toLowerCase() as never }),
  })
}
