import { isEmail } from 'class-validator'
import { validationError } from '../../../kernel/errors.js'

/** The longest address that SMTP carries (RFC 5321, 4.5.3.1.3). */
const LENGTH_MAX = 254

/**
 * An e-mail address as people are known by it: trimmed and in lower case.
 * @throws validation_error on `email` where it is none
 */
export function personEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length <= LENGTH_MAX && isEmail(email)) return email
  throw validationError([{ field: 'email', message: 'must be an e-mail address' }])
}
