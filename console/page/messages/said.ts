import type { PaymentFailureReason } from '../generated/operations.js'
import { money, spoken } from '../parts/format.js'
import type { Messages } from './en.js'
import { ptSaid } from './pt-said.js'

/** What was refused, as the server tells it. */
interface Told {
  code: string
  message: string
  field?: string | undefined
  details?: string | undefined
}

/** Codes that say no more than that a field is wrong: which, and why, is in the message. */
const OF_FIELDS = new Set(['VALIDATION_ERROR', 'INVALID_PARAMETERS', 'BAD_USER_INPUT'])
/** Codes of which the sentence says more than our text: it stands in its place where it is known. */
const OF_SENTENCES = new Set(['NOT_FOUND'])
/** Where a message is about the whole input, its field is in front of it. */
const NAMED = /^([A-Za-z]+)(?:\.\w+)*: /

/**
 * Why something was not done, in the reader's language. English has a text of its own for some codes and the server's words for
 * the others; Portuguese has a text for each code and for what is said about fields.
 * @param names what the form itself calls its fields, where another one calls them otherwise
 */
export function said(
  told: Told,
  t: Messages,
  language: 'en' | 'pt',
  names: Readonly<Record<string, string>> = {},
): string {
  const code = told.code.toUpperCase()
  const text = t.errors[told.code] ?? t.errors[code]
  if (text !== undefined && code === 'INSUFFICIENT_REFUND_BALANCE') return ofBalance(text, told.details, t, language)
  if (text !== undefined && code === 'REFUND_EXCEEDS_PAYMENT') return ofWhatIsLeft(text, told.details, t, language)
  const sentence = language === 'pt' && OF_SENTENCES.has(code) ? inPortuguese(told.message) : undefined
  if (text !== undefined && !OF_FIELDS.has(code)) return capital(sentence ?? text)
  // What GraphQL itself says of a value is for programmers.
  const isOfType = code === 'BAD_USER_INPUT'
  const field = told.field ?? (isOfType ? undefined : NAMED.exec(told.message)?.[1])
  const name = field === undefined ? undefined : (names[field] ?? fieldNames(t)[field])
  const why = isOfType ? undefined : language === 'pt' ? inPortuguese(told.message.replace(NAMED, '')) : told.message
  if (why) return name === undefined ? capital(why) : `${name}: ${why}`
  return name === undefined ? (text ?? `${capital(t.refusedValue)} (${code})`) : `${name}: ${t.refusedValue}`
}

/** How much is left to be refunded, where the server tells it. */
function ofWhatIsLeft(text: string, details: string | undefined, { payment }: Messages, language: 'en' | 'pt'): string {
  const [, amount, currency] = /^([\d.]+) (\S+) are left to be refunded$/.exec(details ?? '') ?? []
  return amount && currency ? `${text} ${payment.refundLeft}: ${money(amount, currency, language)}.` : text
}

/** How much is lacking of a refund, and what to do about it. */
function ofBalance(
  text: string,
  details: string | undefined,
  { refundBalance }: Messages,
  language: 'en' | 'pt',
): string {
  const { needed, there, how } = refundBalance
  const [, amount, currency, balance] = /^([\d.]+) (\S+) are needed, and ([\d.]+) are there$/.exec(details ?? '') ?? []
  if (!amount || !currency || !balance) return `${text} ${how}`
  const shown = (value: string): string => money(value, currency, language)
  return `${text} ${needed}: ${shown(amount)}; ${there}: ${shown(balance)}. ${how}`
}

/** What the fields are called that the server names in what it refuses: as on the pages that have them. */
function fieldNames(t: Messages): Readonly<Record<string, string>> {
  return {
    ...t.fields,
    receiverWallet: t.orders.receiver,
    receiverPercent: t.payment.share,
    splitPaymentConfig: t.payment.receivers,
    amountFrom: t.orders.price,
    name: t.common.name,
    quantity: t.orders.quantity,
    description: t.orders.description,
    toChain: t.payment.chain,
    paymentMethodAllowed: t.orders.methods,
    amount: t.common.amount,
    wallet: t.yields.wallet,
    url: t.webhooks.address,
    displayName: t.common.name,
    accentColor: t.branding.color,
    logo: t.branding.logo,
    expiresAt: t.keys.expires,
    events: t.moreEndpoints.events,
    percent: t.settings.tolerancePercent,
    currency: t.common.currency,
    rail: t.operators.tenants.rail,
    hours: t.operators.tenants.hours,
    reason: t.common.reason,
    as: t.operators.differences.owner,
    chainName: t.payment.chain,
    overlapHours: t.endpoints.overlap,
    search: t.payments.search,
  }
}

/** Why a payment failed. The server's sentence says more, in English: it stands behind our words there, and alone where we have none. */
export function failed(
  { reason, message }: { reason: PaymentFailureReason; message: string },
  { words }: Pick<Messages, 'words'>,
  language: 'en' | 'pt',
): string {
  const text = words[reason.toLowerCase()]
  return text !== undefined && language === 'pt' ? text : `${text ?? spoken(reason)}: ${message}`
}

/** @returns undefined where there is no text for it */
export function inPortuguese(sentence: string): string | undefined {
  const found = ptSaid.find(([pattern]) => pattern.test(sentence))
  return found && sentence.replace(new RegExp(`${found[0].source}.*`), found[1])
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
