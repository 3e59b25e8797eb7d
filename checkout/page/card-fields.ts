import { brandOf, expiryOf, isCardNumber } from './card-checks.js'
import { isEmail, isTaxId, taxIdFormatted, taxIdText } from './checks.js'
import type { Messages } from './messages/messages.js'

/** What is typed into the forms of a payer in fiat; a Pix takes two of them. */
export type CardFields = Record<
  | 'number'
  | 'holder'
  | 'expiry'
  | 'cvv'
  | 'email'
  | 'document'
  | 'phone'
  | 'zipcode'
  | 'street'
  | 'streetNumber'
  | 'neighborhood'
  | 'city'
  | 'state',
  string
>
export type FieldName = keyof CardFields

/** What was typed so far: kept by the page alone, so that nobody types anything twice who tries again or another way. */
export type Typed = Readonly<Partial<CardFields>>

/** A form that is filled in a bit at a time. */
export interface FiatFields {
  typed: Typed
  onTyped: (name: FieldName, value: string) => void
}

/** What is typed, as cards and documents show it: groups of digits, month and year apart. */
export function formatted(name: FieldName, typed: string): string {
  const digits = typed.replace(/\D/g, '')
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ')
  if (name === 'expiry') return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2, 6)}` : digits
  if (name === 'cvv') return digits.slice(0, 4)
  if (name === 'document') return taxIdFormatted(typed)
  if (name === 'zipcode') return digits.slice(0, 8).replace(/^(\d{5})(?=\d)/, '$1-')
  return name === 'state' ? typed.toUpperCase() : typed
}

/** What is wrong with each of these fields, in the reader's words. @param now in milliseconds, for the expiry */
export function fieldProblems<Name extends FieldName>(
  names: readonly Name[],
  typed: Typed,
  { now, messages }: { now: number; messages: Messages },
): Partial<Record<Name, string>> {
  const problems: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = typed[name] ?? ''
    if (value.trim() === '') problems[name] = messages.fields.required
    else if (!isRight(name, value, now)) problems[name] = hintOf(name, messages)
  }
  return problems
}

/** The text that says what is wrong with a field. */
export function hintOf(name: FieldName, { bad, errors }: Messages): string {
  return bad[name === 'document' ? 'cpf' : name] ?? errors.other
}

/** Whether a card's number has all its digits: it can be judged though the payer is still there. */
export function isFull(number: string): boolean {
  return number.replace(/\D/g, '').length >= (brandOf(number) === 'Amex' ? 15 : 16)
}

function isRight(name: FieldName, value: string, now: number): boolean {
  const digits = value.replace(/\D/g, '')
  switch (name) {
    case 'number':
      return isCardNumber(value)
    case 'expiry':
      return expiryOf(value, now) !== undefined
    case 'cvv':
      return /^\d{3,4}$/.test(value)
    case 'email':
      return isEmail(value)
    case 'document':
      return isTaxId(value)
    case 'phone':
      return /^(?:55)?\d{10,11}$/.test(digits)
    case 'zipcode':
      return digits.length === 8
    case 'state':
      return /^[A-Z]{2}$/.test(value)
    default:
      return true
  }
}

/** What the server is told of the payer: all but the card itself. */
export function payerOf(typed: Typed): object {
  const { holder = '', email = '', document = '', phone = '', zipcode = '', ...address } = typed
  const { street, streetNumber, neighborhood, city, state } = address
  const digits = phone.replace(/\D/g, '')
  const national = digits.length > 11 ? digits.slice(2) : digits
  return {
    name: holder.trim(),
    email: email.trim(),
    document: taxIdText(document),
    phone: { areaCode: national.slice(0, 2), number: national.slice(2) },
    address: { zipcode: zipcode.replace(/\D/g, ''), street, streetNumber, neighborhood, city, state },
  }
}
