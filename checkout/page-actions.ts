import bs58 from 'bs58'
import { compare, isAmount, isPositive, multiply, sum } from '../kernel/money.js'
import type { FieldNames } from './action-answer.js'
import type { CheckoutDeps } from './deps.js'
import { isLanguage } from './language.js'
import type { ReadPayment } from './read-payment.js'
import { presentOffer } from './wallet-offer.js'

/** What a page asks for, and of which payment. */
export interface ActionRequest {
  payment: ReadPayment
  body: Readonly<Record<string, unknown>>
  merchant: string
  /** Where the payment can be paid by Solana Pay; null where it cannot. */
  solanaChain: string | null
  /** Where what is paid by Pix or card goes, as an input's field; empty where the payment says so. */
  payoutChain: { chainName?: string }
  /** Where the page is, to come back to. */
  pageUrl: string
  /** The payer's address on the network, for the processor's antifraud. */
  ip: string
}

/** Something that a page does with its payment: a mutation of the graph. */
export interface PageAction {
  /** How often in a minute, by one link. */
  perMinute: number
  /** Whether what is refused as not valid is not counted: what is limited are the e-mails that are sent. */
  countsValidOnly?: true
  operation: 'create-transaction' | 'email-receipt' | 'execute-on-chain' | 'open-address'
  /** Whether a wallet's attempt that has paid nothing is ended first: it is not of the same kind. */
  leavesWallet?: true
  /** Whether it tells of money that may have left the payer already: that is taken from a shop that is closed, too. */
  finishes?: (body: Readonly<Record<string, unknown>>) => boolean
  /** The operation's input without the payment's id; or the page's names of the fields that are not there. */
  read: (request: ActionRequest) => { input: object } | { fields: readonly string[] }
  /** Why it is not asked for though nothing is missing: the answer's code. */
  refuses?: (request: Pick<ActionRequest, 'body' | 'payment'>) => 'price_changed' | undefined
  /** The page's names of the input's fields, by which a failure is shown where it belongs. */
  fields: FieldNames
  /** What the page is given besides its new view. */
  given?: (data: Readonly<Record<string, unknown>>, deps: CheckoutDeps) => object
}

export const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
/** The bound comes first: a payer may write 256 kB, and the pattern tries each of their dots. */
export const isEmail = (value: string): boolean => value.length <= 254 && /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(value)

/** The language of the page, as inputs of e-mails have it; nothing where it says none that there is. */
export function languageOf(body: Readonly<Record<string, unknown>>): { language?: string } {
  const language = text(body['language'])
  return isLanguage(language) ? { language: language.toUpperCase() } : {}
}

/** A Solana signature in base64 as base58; undefined for another text. The bound comes first because base58 encoding is quadratic. */
function signatureOf(base64: string): string | undefined {
  if (base64.length > 90) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === 64 ? bs58.encode(bytes) : undefined
}

/** The actions of the page, by the last part of their path. */
export const PAGE_ACTIONS: Readonly<Record<string, PageAction>> = {
  pix: {
    perMinute: 10,
    operation: 'create-transaction',
    leavesWallet: true,
    read: ({ body, payoutChain }) => {
      const [payerEmail, payerCpf] = [text(body['email']), text(body['cpf'])]
      const fields = [...(isEmail(payerEmail) ? [] : ['email']), ...(payerCpf === '' ? ['cpf'] : [])]
      if (fields.length > 0) return { fields }
      return { input: { transactionType: 'PIXCRYPTO', payerEmail, payerCpf, ...payoutChain } }
    },
    fields: { payerCpf: 'cpf', payerEmail: 'email' },
  },
  wallet: {
    perMinute: 20,
    operation: 'create-transaction',
    read: ({ body }) => ({
      input: {
        transactionType: 'CRYPTO',
        payerWallet: text(body['wallet']),
        chainName: text(body['chain']),
        payerTokenSymbol: text(body['token']),
      },
    }),
    fields: { payerWallet: 'wallet', chainName: 'chain', payerTokenSymbol: 'token' },
    given: presentOffer,
  },
  // Solana Pay's transaction request: a wallet's app says which account pays, and gets what it signs.
  solana: {
    perMinute: 20,
    operation: 'create-transaction',
    read: ({ payment, solanaChain, body }) => {
      const payerWallet = text(body['account'])
      if (payerWallet === '' || solanaChain === null) return { fields: ['account'] }
      const input = { transactionType: 'CRYPTO', payerWallet, chainName: solanaChain }
      return { input: { ...input, payerTokenSymbol: payment.toCurrencySymbol } }
    },
    fields: { payerWallet: 'account' },
    given: presentOffer,
  },
  address: {
    perMinute: 10,
    operation: 'open-address',
    read: ({ body }) => {
      const chainName = text(body['chain'])
      return chainName === '' ? { fields: ['chain'] } : { input: { chainName } }
    },
    fields: { chainName: 'chain' },
  },
  sent: {
    perMinute: 20,
    operation: 'execute-on-chain',
    finishes: (body) => text(body['signed']) === '',
    read: ({ body }) => {
      const [hash, signature, signed] = [text(body['hash']), text(body['signature']), text(body['signed'])]
      if (signed !== '') return { input: { signedTransaction: signed } }
      const txHash = signature === '' ? hash : (signatureOf(signature) ?? '')
      return txHash === '' ? { fields: ['hash'] } : { input: { txHash } }
    },
    fields: {},
  },
  // The receipt of a payment is its payer's, whatever became of the shop.
  receipt: {
    perMinute: 3,
    countsValidOnly: true,
    operation: 'email-receipt',
    finishes: () => true,
    read: ({ body }) => {
      const email = text(body['email'])
      return isEmail(email) ? { input: { email, ...languageOf(body) } } : { fields: ['email'] }
    },
    fields: { email: 'email' },
  },
  card: {
    perMinute: 6,
    operation: 'create-transaction',
    leavesWallet: true,
    read: readCard,
    refuses: ({ payment, body }) => (isDearer(payment.payerCharge, text(body['seen'])) ? 'price_changed' : undefined),
    fields: {
      payerEmail: 'email',
      payerName: 'holder',
      payerDocument: 'document',
      payerDocumentType: 'document',
      'payerPhone.areaCode': 'phone',
      'payerPhone.number': 'phone',
      'cardData.address.zipcode': 'zipcode',
      'cardData.address.street': 'street',
      'cardData.address.streetNumber': 'streetNumber',
      'cardData.address.neighborhood': 'neighborhood',
      'cardData.address.city': 'city',
      'cardData.address.state': 'state',
    },
  },
}

/** So much dearer than what he has seen may be what a payer is charged, in percent: prices of currencies move all the time. */
const DEARER_MAX_PERCENT = '1'

/** @param seen the estimate that the payer has seen; no decimal where he has seen none */
function isDearer(charge: ReadPayment['payerCharge'], seen: string): boolean {
  if (!charge?.isEstimate || !isAmount(seen)) return false
  return compare(multiply(charge.amount, '100'), multiply(seen, sum(['100', DEARER_MAX_PERCENT]))) > 0
}

/** What stands on the payer's statement; the processor's own acquirer takes so many characters, without accents. */
const DESCRIPTOR_MAX = 13

function descriptorOf(merchant: string): string {
  const plain = merchant
    .normalize('NFD')
    .replace(/[^\dA-Za-z ]/g, '')
    .trim()
  return plain.slice(0, DESCRIPTOR_MAX).trim() || 'Payment'
}

function readCard({
  payment,
  body,
  merchant,
  ip,
  pageUrl,
  payoutChain,
}: ActionRequest): { input: object } | { fields: readonly string[] } {
  const [token, name, payerEmail, document] = ['token', 'name', 'email', 'document'].map((field) => text(body[field]))
  const phone = (body['phone'] ?? {}) as Readonly<Record<string, unknown>>
  const address = (body['address'] ?? {}) as Readonly<Record<string, unknown>>
  const parts = ['zipcode', 'street', 'streetNumber', 'neighborhood', 'city', 'state'] as const
  const missing = [
    ...(isEmail(payerEmail ?? '') ? [] : ['email']),
    ...(name ? [] : ['holder']),
    ...(document ? [] : ['document']),
    ...(text(phone['areaCode']) && text(phone['number']) ? [] : ['phone']),
    ...parts.filter((part) => text(address[part]) === ''),
    ...(token ? [] : ['number']),
  ]
  if (missing.length > 0) return { fields: missing }
  const transactionType = cardTypeOf(payment)
  const input = {
    transactionType,
    ...(transactionType === 'CARDCRYPTO' && payoutChain),
    payerEmail,
    payerName: name,
    payerDocument: document,
    payerDocumentType: (document ?? '').length > 11 ? 'CNPJ' : 'CPF',
    payerIp: ip,
    sessionId: payment.id,
    payerPhone: { countryCode: '55', areaCode: text(phone['areaCode']), number: text(phone['number']) },
    cardData: {
      installments: 1,
      statementDescriptor: descriptorOf(merchant),
      cardToken: token,
      authenticationReturnUrl: pageUrl,
      address: { country: 'BR', ...Object.fromEntries(parts.map((part) => [part, text(address[part])])) },
    },
  }
  return { input }
}

/** In fiat where every receiver can be paid so, and in crypto otherwise. */
function cardTypeOf({ paymentMethodAllowed: allowed, splitPaymentConfig }: ReadPayment): 'CARDFIAT' | 'CARDCRYPTO' {
  const paid = splitPaymentConfig.filter(({ receiverPercent }) => isPositive(receiverPercent))
  const canFiat = allowed.cardfiat && paid.length > 0 && paid.every(({ recipientId }) => recipientId !== null)
  return canFiat || !allowed.cardcrypto ? 'CARDFIAT' : 'CARDCRYPTO'
}
