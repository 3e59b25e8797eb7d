import { isIP } from 'node:net'
import type { Clock } from '../../../../kernel/clock.js'
import type { FieldFailure } from '../../../../kernel/errors.js'
import type { CardAddress, CardDataInput, CardPayerInput, Phone, RawCard } from '../../model/card-input.js'
import { isReturnUrl } from '../../../../terms/return-urls.js'
import { readTaxId } from '../tax-id.js'
import { fullYear, readCardNumber } from './card-number.js'

/** What the rules need to know besides the input. */
export interface CardRules {
  clock: Clock
  isRawEnabled: boolean
  /** Whether a browser may be sent to this machine, as in the sandbox. */
  allowsLoopback: boolean
}

/** Statements of other acquirers show up to this many characters. */
const DESCRIPTOR_MAX = 22
const REQUIRED = 'is required for card payments'

/**
 * What is wrong with what a payer by card sent; parts may be absent, or lack fields whose own form was bad. No message
 * quotes what was sent.
 */
export function checkCardPayer(rules: CardRules, input: Partial<CardPayerInput>): FieldFailure[] {
  const { payerName, payerDocument, payerDocumentType, payerPhone, cardData } = input
  const isTokenized = isText(cardData?.cardToken)
  return [
    ...required('payerName', payerName),
    ...required('payerDocument', payerDocument),
    ...required('payerDocumentType', payerDocumentType),
    ...(payerPhone == null ? [{ field: 'payerPhone', message: REQUIRED }] : checkPhone(payerPhone)),
    ...(cardData == null ? [{ field: 'cardData', message: REQUIRED }] : checkCardData(rules, cardData)),
    ...checkDocument(input),
    ...(isTokenized ? [...required('payerIp', input.payerIp), ...required('sessionId', input.sessionId)] : []),
    ...(isText(input.payerIp) && isIP(input.payerIp) === 0
      ? [{ field: 'payerIp', message: 'must be an IP address' }]
      : []),
  ]
}

function checkDocument({ payerDocument, payerDocumentType: type }: Partial<CardPayerInput>): FieldFailure[] {
  if (type === 'PASSPORT') {
    return isText(payerDocument) && !/^[A-Za-z0-9]{5,20}$/.test(payerDocument)
      ? [{ field: 'payerDocument', message: 'must be the number of a passport' }]
      : []
  }
  if (!isText(payerDocument) || (type !== 'CPF' && type !== 'CNPJ')) return []
  return readTaxId(payerDocument)?.kind === type.toLowerCase()
    ? []
    : [{ field: 'payerDocument', message: `must be a ${type}` }]
}

function checkPhone(phone: Partial<Phone>): FieldFailure[] {
  return (['countryCode', 'areaCode', 'number'] as const)
    .filter((name) => phone[name] !== undefined && !/^\+?\d[\d -]*$/.test(phone[name]))
    .map((name) => ({ field: `payerPhone.${name}`, message: 'must have digits' }))
}

function checkCardData(rules: CardRules, data: Partial<CardDataInput>): FieldFailure[] {
  const { installments, statementDescriptor: descriptor, cardToken, card, address, authenticationReturnUrl } = data
  const failures: FieldFailure[] = []
  if (installments !== undefined && installments !== 1) {
    failures.push({ field: 'cardData.installments', message: 'must be 1' })
  }
  if (descriptor !== undefined && (descriptor.trim() === '' || descriptor.length > DESCRIPTOR_MAX)) {
    failures.push({ field: 'cardData.statementDescriptor', message: `must have 1 to ${DESCRIPTOR_MAX} characters` })
  }
  if (authenticationReturnUrl != null && !isReturnUrl(authenticationReturnUrl, rules.allowsLoopback)) {
    failures.push({ field: 'cardData.authenticationReturnUrl', message: 'must be an https URL' })
  }
  if (!isText(cardToken) && card == null) {
    failures.push({ field: 'cardData.card', message: 'is required where no token of a card is sent' })
  }
  if (isText(cardToken) && card != null) {
    failures.push({ field: 'cardData.card', message: 'must be left out where the token of a card is sent' })
  }
  if (card != null) {
    failures.push(...(rules.isRawEnabled ? checkCard(rules.clock, card, 'cardData.card') : rawRefused('cardData.card')))
  }
  return [...failures, ...checkAddress(address)]
}

/** What a deployment answers that takes tokens only. */
export function rawRefused(field: string): FieldFailure[] {
  return [{ field, message: 'is not taken here: send the token of the card' }]
}

/** What is wrong with a card itself. */
export function checkCard(clock: Clock, card: Partial<RawCard>, path: string): FieldFailure[] {
  const { number, cvv, expMonth, expYear } = card
  const failures: FieldFailure[] = []
  const fail = (name: string, message: string): void => void failures.push({ field: `${path}.${name}`, message })
  if (number !== undefined && readCardNumber(number) === undefined) fail('number', 'must be the number of a card')
  if (cvv !== undefined && !/^\d{3,4}$/.test(cvv)) fail('cvv', 'must have 3 or 4 digits')
  if (card.holderName?.trim() === '') fail('holderName', 'is required')
  if (card.holderDocument?.trim() === '') fail('holderDocument', 'is required')
  const isMonth = expMonth !== undefined && expMonth >= 1 && expMonth <= 12
  if (expMonth !== undefined && !isMonth) fail('expMonth', 'must be from 1 to 12')
  const isYear = expYear !== undefined && ((expYear >= 0 && expYear <= 99) || (expYear >= 2000 && expYear <= 2099))
  if (expYear !== undefined && !isYear) fail('expYear', 'must have two or four digits')
  if (isMonth && isYear && Date.UTC(fullYear(expYear), expMonth, 1) <= clock.now().getTime()) {
    fail('expYear', 'the card has expired')
  }
  return failures
}

function checkAddress(address: Partial<CardAddress> | undefined): FieldFailure[] {
  if (!address) return []
  const failures: FieldFailure[] = []
  const fail = (name: string, message: string): void =>
    void failures.push({ field: `cardData.address.${name}`, message })
  for (const name of ['state', 'city', 'neighborhood', 'street', 'streetNumber'] as const) {
    if (address[name]?.trim() === '') fail(name, 'is required')
  }
  const { country, zipcode } = address
  if (country !== undefined && !/^[A-Za-z]{2}$/.test(country)) fail('country', 'must be an ISO 3166-1 code, e.g. BR')
  if (zipcode !== undefined && !/^\d{3,12}$/.test(zipcode)) fail('zipcode', 'must have digits only')
  return failures
}

function required(field: string, value: unknown): FieldFailure[] {
  return isText(value) ? [] : [{ field, message: REQUIRED }]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
