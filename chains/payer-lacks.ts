import { validationError, type AppError } from '../kernel/errors.js'

/** The payer's wallet has not enough of something, e.g. `USDT balance`. */
export function payerLacks(what: string): AppError {
  return validationError([{ field: 'payerWallet', message: `has an insufficient ${what}` }])
}
