import { validationError } from '../../../../kernel/errors.js'
import { lacksRecipient, type SplitReceiver } from '../../../../terms/split.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'

/**
 * Whom the provider pays: every receiver with a share; undefined where the treasury pays them. A receiver whom the provider
 * does not know would get nothing from a charge that succeeds.
 * @throws validation_error
 */
export function fiatReceivers(
  rail: ChargeRail,
  { splitPaymentConfig }: Payment,
  { transactionType }: Pick<CreateTransactionInput, 'transactionType'>,
): readonly SplitReceiver[] | undefined {
  if (!rail.types[transactionType]?.settlesInFiat) return undefined
  const receivers = splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent > 0)
  if (receivers.length > 0 && !receivers.some(lacksRecipient)) return receivers
  const lack = receivers.length === 0 ? 'it names no receiver' : 'not all of its receivers have a recipient_id'
  throw validationError([{ field: 'transactionType', message: `${transactionType} cannot pay the payment: ${lack}` }])
}
