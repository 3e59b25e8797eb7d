import { expiryOf, isCardNumber, isEmail, isTaxId, taxIdText } from './checks.js'
import type { Messages } from './messages/messages.js'

/** What is typed into the card's form. */
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

export const EMPTY_CARD: CardFields = {
  number: '',
  holder: '',
  expiry: '',
  cvv: '',
  email: '',
  document: '',
  phone: '',
  zipcode: '',
  street: '',
  streetNumber: '',
  neighborhood: '',
  city: '',
  state: '',
}

/** What is typed, as cards show it: groups of four digits, month and year apart. */
export function formatted(name: keyof CardFields, typed: string): string {
  const digits = typed.replace(/\D/g, '')
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ')
  if (name === 'expiry') return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2, 6)}` : digits
  if (name === 'cvv') return digits.slice(0, 4)
  return name === 'state' ? typed.toUpperCase() : typed
}

/** What is wrong with each field, in the reader's words. @param now in milliseconds, for the expiry */
export function cardProblems(
  fields: CardFields,
  now: number,
  messages: Messages,
): Partial<Record<keyof CardFields, string>> {
  const { bad } = messages
  const problems: Partial<Record<keyof CardFields, string>> = {}
  for (const [name, value] of Object.entries(fields) as [keyof CardFields, string][]) {
    if (value.trim() === '') problems[name] = messages.fields.required
    else if (!isRight(name, value, now))
      problems[name] = bad[name === 'document' ? 'cpf' : name] ?? messages.errors.other
  }
  return problems
}

function isRight(name: keyof CardFields, value: string, now: number): boolean {
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
export function payerOf(fields: CardFields): object {
  const { holder, email, document, phone, zipcode, street, streetNumber, neighborhood, city, state } = fields
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
