import type { FieldFailure } from '../../../kernel/errors.js'
import type { Rails } from '../rails/find-rail.js'
import { checkTokenizeCard } from './charges/tokenize-card.js'
import { checkCreateTransaction } from './create-transaction.js'
import { checkPaymentPage } from './list-payments.js'
import { checkRefundPayment } from './refunds/refund-payment.js'
import type { CheckRegistrationDeps } from './registration/check-payment-input.js'
import { checkRegisterCheckoutPayment } from './registration/register-checkout-payment.js'
import { checkRegisterPayment } from './registration/register-payment.js'

/** What checking a partial input needs. */
export type FindInputFailuresDeps = CheckRegistrationDeps & Rails

/**
 * The rules that an input breaks whose form is bad already, so that a caller is told everything at once.
 * @param asked.operation the kebab-case name
 * @param asked.input what of the input had a good form; enums by their names
 */
export async function findInputFailures(
  deps: FindInputFailuresDeps,
  asked: { operation: string; input: Record<string, unknown> },
): Promise<FieldFailure[]> {
  const { operation, input } = asked
  if (operation === 'register-payment') return checkRegisterPayment(deps, withGatewayMethod(input))
  if (operation === 'register-checkout-payment') return checkRegisterCheckoutPayment(deps, input)
  if (operation === 'tokenize-card') return checkTokenizeCard(deps, input)
  if (operation === 'list-payments') return checkPaymentPage(input)
  if (operation === 'refund-payment') return checkRefundPayment(input)
  if (operation !== 'create-transaction') return []
  const { transactionType } = input
  return checkCreateTransaction(deps, {
    ...input,
    ...(typeof transactionType === 'string' && { transactionType: transactionType.toLowerCase() as never }),
  })
}

/** JSON carries an enum's name, SUBS, where the rules know its value, subs. */
function withGatewayMethod({ gatewayMethod, ...input }: Record<string, unknown>): Record<string, unknown> {
  return typeof gatewayMethod === 'string' ? { ...input, gatewayMethod: gatewayMethod.toLowerCase() } : input
}
