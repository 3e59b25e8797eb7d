import { AppError } from '../../../kernel/errors.js'

/** A leg that does not fit into one transaction by itself: it cannot be split further. */
export function tooLarge(): AppError {
  return new AppError('rebalance_transaction_too_large')
}
