import { AppError } from './errors.js'

/** The cause of a failure after which the mail server has certainly not taken the e-mail. */
export class UnsentMail extends Error {
  override readonly name = 'UnsentMail'
}

/** Whether an e-mail certainly was not sent. One whose answer got lost, or came too late, may be in its mailbox. */
export function isUnsentMail(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof UnsentMail
}
