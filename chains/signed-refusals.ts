import { AppError } from '../kernel/errors.js'

/** The refusal of a signed transaction that is not the one that was built. @param details in what it differs */
export function differs(details: string): AppError {
  return new AppError('invalid_signed_transaction', { details })
}

/** The refusal of what is no signed transaction. @param details why it cannot be read */
export function undecodable(details: string): AppError {
  return new AppError('invalid_parameters', { message: 'signed_transaction cannot be read.', details })
}
