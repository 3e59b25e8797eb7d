import { isExpired, passesLuhn, type SentCard } from './cards.js'
import { needTexts, note, objectOf, textOf, type Json, type Problems } from './read.js'

/** Reads a `card` object, noting what the processor refuses of it; undefined where anything is. */
export function readCard(given: unknown, path: string, now: Date, problems: Problems): SentCard | undefined {
  const card = objectOf(given)
  const before = Object.keys(problems).length
  const number = textOf(card['number']) ?? ''
  const cvv = textOf(card['cvv']) ?? ''
  if (!passesLuhn(number)) note(problems, `${path}.number`, 'The number field is not a valid card number')
  if (!/^\d{3,4}$/.test(cvv)) note(problems, `${path}.cvv`, 'The field cvv must have 3 or 4 digits.')
  needTexts(problems, path, card, ['holder_name'])
  const [expMonth, expYear] = [card['exp_month'], card['exp_year']]
  const isDate = typeof expMonth === 'number' && typeof expYear === 'number' && expMonth >= 1 && expMonth <= 12
  if (!isDate) note(problems, `${path}.exp_month`, 'The field exp_month is invalid.')
  else if (isExpired({ expMonth, expYear }, now)) note(problems, `${path}.exp_year`, 'Card expired.')
  if (!isDate || Object.keys(problems).length > before) return undefined
  return {
    number,
    cvv,
    holderName: textOf(card['holder_name']) ?? '',
    holderDocument: textOf(card['holder_document']) ?? null,
    expMonth,
    expYear,
    brand: textOf(card['brand']) ?? null,
    billingAddress: card['billing_address'] === undefined ? null : objectOf(card['billing_address']),
  }
}

/** Notes what is missing of an address. */
export function checkAddress(given: unknown, path: string, problems: Problems): void {
  const address: Json = objectOf(given)
  needTexts(problems, path, address, ['line_1', 'zip_code', 'city', 'state', 'country'])
  const { country, zip_code: zipCode } = address
  if (typeof country === 'string' && !/^[A-Z]{2}$/.test(country)) {
    note(problems, `${path}.country`, 'The field country must be an ISO 3166-1 alpha-2 code.')
  }
  if (typeof zipCode === 'string' && !/^\d+$/.test(zipCode)) {
    note(problems, `${path}.zip_code`, 'The field zip_code must have digits only.')
  }
}
