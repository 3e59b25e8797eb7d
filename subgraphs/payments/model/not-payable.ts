import { validationError, type AppError } from '../../../kernel/errors.js'

/** The refusal of a payment that cannot be paid as asked: `validation_error` on `paymentId`. */
export function notPayable(message: string): AppError {
  return validationError([{ field: 'paymentId', message }])
}
