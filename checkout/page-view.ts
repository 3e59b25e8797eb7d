import type { Chain } from '../chains/chain.js'
import { compare, isPositive, subtract, sum } from '../kernel/money.js'
import { moneyBackOf } from '../terms/money-back.js'
import { isMoneyIn } from '../terms/money-in.js'
import type { Merchant } from './merchant.js'
import { picturePath } from './item-pictures.js'
import type { Method, PageStatus, PageView } from './page/view.js'
import type { ReadPage, ReadPayment } from './read-payment.js'
import { addressChains, solanaPayChain, walletChains } from './wallet-chains.js'

/** What a view is made from, besides the payment. */
export interface ViewContext {
  merchant: Merchant
  chains: readonly Chain[]
  now: Date
  linkExpiresAt: Date
  isSandbox: boolean
}

const METHOD_OF: Readonly<Record<string, Method>> = {
  CRYPTO: 'wallet',
  PIXCRYPTO: 'pix',
  FIATCRYPTO: 'pix',
  CARDCRYPTO: 'card',
  CARDFIAT: 'card',
}

/** The error of a payment whose payer gets the money back before anybody was paid. */
const REFUNDED_CODE = 'refunded'
/**
 * Errors after which the payment takes no money, whatever is tried. Together with those of `RECEIVED_CODES` they are the
 * FINAL_ERRORS of payments, as a test holds them to.
 */
export const CANCELED_CODES: readonly string[] = ['canceled', 'charge_taken_back', REFUNDED_CODE]
/** Errors after a payer's money has come: what is left to settle is none of the payer's business. */
export const RECEIVED_CODES: readonly string[] = ['route_partial']
/** Errors that say that nobody paid in time. */
const EXPIRED_CODES: readonly string[] = ['charge_expired', 'charge_cancelled']
/** The error of a payment to whose address too little came in time. */
const UNDERPAID_CODE = 'underpaid'
/** The error of a payer who has left his wallet for another way to pay: nothing has gone wrong. */
const LEFT_CODE = 'attempt_ended'

/** What the page shows of a payment: nothing of its payer, and nothing of its tenant but the name. */
export function pageView({ payment, cardTokenEndpoint, receiptEmailState }: ReadPage, context: ViewContext): PageView {
  const { merchant, chains, now, linkExpiresAt, isSandbox } = context
  const status = statusOf(payment, now)
  const chosen = payment.address ? 'address' : (METHOD_OF[payment.transactionType ?? ''] ?? null)
  const isMoneyIn = status === 'paid' || status === 'received'
  // A transaction that was handed in may be paid: it is followed to its end whatever became of the tenant.
  const isOver = isMoneyIn || status === 'canceled'
  const isClosed = merchant.isDisabled && !isOver && !isHandedIn(payment)
  const isPayable = !isOver && !isClosed
  const wallets = payment.paymentMethodAllowed.crypto ? walletChains(chains, payment) : []
  const places = payment.paymentMethodAllowed.crypto ? addressChains(chains, payment) : []
  const has = { wallet: wallets.length > 0, address: places.length > 0 }
  const methods = isPayable ? methodsOf(payment, merchant, { cardTokenEndpoint, has }) : []
  const terms = {
    charge: isByFiat(chosen, isPayable, methods) ? chargeOf(payment, isPayable) : null,
    plan: isPayable || isMoneyIn ? planOf(payment, isMoneyIn ? [chosen] : methods) : null,
  }
  const notes = {
    addressNote: isMoneyIn ? addressNoteOf(payment) : null,
    beside: besideOf(payment, status),
    back: backOf(payment),
    isSentBack: payment.returns?.some(({ status: of }) => of !== 'FAILED') === true,
  }
  return {
    status,
    isClosed,
    version: versionOf(payment),
    now: now.toISOString(),
    amount: payment.amountFrom,
    currency: payment.fromCurrencySymbol,
    ...terms,
    hasTerms: Object.values(terms).some(Boolean),
    merchant: merchant.name === '' ? null : merchant.name,
    items: payment.orderItems?.map(itemOf) ?? [],
    methods,
    chosen,
    canVerify: canVerify(payment, merchant, methods),
    isLocked: isLocked(payment, chosen),
    challengeUrl: status === 'waiting' ? payment.challengeUrl : null,
    pix: isPayable && (status === 'waiting' || status === 'expired') ? pixOf(payment) : null,
    address: isPayable && (status === 'waiting' || isPartIn(payment, status)) ? addressOf(payment) : null,
    ...notes,
    hasNotes: Object.values(notes).some(Boolean),
    addressChains: methods.includes('address') ? places : [],
    price: isPayable ? priceOf(payment) : null,
    isHandedIn: isHandedIn(payment),
    chains: methods.includes('wallet') ? wallets : [],
    solanaChain: methods.includes('wallet') ? solanaPayChain(chains, payment) : null,
    cardTokenUrl: methods.includes('card') ? cardTokenEndpoint : null,
    reason: status === 'refused' && !isClosed ? (payment.dataError?.code ?? 'charge_refused') : null,
    isRefunded: status === 'canceled' && payment.dataError?.code === REFUNDED_CODE,
    receipt: isMoneyIn ? receiptOf(payment, chains) : null,
    receiptEmail: isMoneyIn ? receiptEmailOf(receiptEmailState) : null,
    returnUrl: isMoneyIn ? payment.successUrl : payment.cancelUrl,
    linkExpiresAt: linkExpiresAt.toISOString(),
    isSandbox,
  }
}

/** Whether the payer is charged by a provider, or may still choose to be. */
function isByFiat(chosen: Method | null, isPayable: boolean, methods: readonly Method[]): boolean {
  const ways = isPayable ? methods : [chosen]
  return ways.includes('pix') || ways.includes('card')
}

/** @param ways what it can be paid by, or was */
function planOf({ subscriptionTerms: terms }: ReadPayment, ways: readonly (Method | null)[]): PageView['plan'] {
  if (!terms) return null
  const { planName: name, amountFrom: amount, charge, isFirst, trialEndsAt } = terms
  const isByCard = ways.includes('card')
  // Whoever pays a later period otherwise may have a card on file.
  const isAsked = !charge || (isFirst && !isByCard)
  const way = isAsked ? 'asked' : isByCard && ways.length === 1 ? 'card' : 'either'
  return { name, amount, interval: terms.interval.toLowerCase() as Lowercase<typeof terms.interval>, way, trialEndsAt }
}

/** A price in the currency that is charged says it already. */
function chargeOf(
  { payerCharge, amountFrom, fromCurrencySymbol }: ReadPayment,
  isPayable: boolean,
): PageView['charge'] {
  // What nobody can pay any more is charged by no price of now.
  if (payerCharge?.isEstimate && !isPayable) return null
  const isPrice = payerCharge?.currency === fromCurrencySymbol && compare(payerCharge.amount, amountFrom) === 0
  return isPrice ? null : payerCharge
}

/** The payment's changes, counted: times come from the clocks of several nodes. Sorts after the times that pages were given before. */
function versionOf({ sequence }: ReadPayment): string {
  return `v${String(sequence).padStart(10, '0')}`
}

function itemOf(
  { name, quantity, description, imageUrl }: NonNullable<ReadPayment['orderItems']>[number],
  index: number,
): PageView['items'][number] {
  return { name, quantity, description, picture: imageUrl === null ? null : picturePath(index, imageUrl) }
}

/** A card that nobody has answered for yet may be charged; one whose payer has not been at his bank is not. */
function isLocked({ status, challengeUrl, signedTransaction }: ReadPayment, chosen: Method | null): boolean {
  return status === 'PENDING' && ((chosen === 'card' && challengeUrl === null) || signedTransaction !== null)
}

/** Whether the payer may be asked for a verified identity, and can verify it: payments of an order need none. */
function canVerify({ executorId }: ReadPayment, { products }: Merchant, methods: readonly Method[]): boolean {
  const isFiat = methods.includes('pix') || methods.includes('card')
  return isFiat && executorId !== 'order_transaction' && products.includes('kyc')
}

function statusOf(payment: ReadPayment, now: Date): PageStatus {
  switch (payment.status) {
    case 'SUCCESS':
      return 'paid'
    case 'REGISTERED':
      return 'open'
    case 'REPROVED':
      return 'refused'
    case 'ERROR': {
      const code = payment.dataError?.code ?? ''
      if (CANCELED_CODES.includes(code)) return 'canceled'
      if (RECEIVED_CODES.includes(code)) return 'received'
      if (code === LEFT_CODE) return 'open'
      return EXPIRED_CODES.includes(code) ? 'expired' : 'refused'
    }
    case 'PENDING':
      if (isMoneyIn({ ...payment, isByWallet: payment.transactionType === 'CRYPTO' })) return 'received'
      return isOutOfTime(payment, now) ? 'expired' : 'waiting'
  }
}

/** Whether nobody can pay what was asked for any more; a wallet's transaction that was handed in is still waited for. */
function isOutOfTime(payment: ReadPayment, now: Date): boolean {
  const { transactionType, signedTransaction, quote } = payment
  const pix = pixOf(payment)
  if (pix) return new Date(pix.expiresAt) <= now
  if (transactionType !== 'CRYPTO' || signedTransaction !== null) return false
  return quote !== null && new Date(quote.expiresAt) <= now
}

/** Whether a wallet's transaction is waited for. */
function isHandedIn({ status, signedTransaction }: ReadPayment): boolean {
  return status === 'PENDING' && signedTransaction !== null
}

function pixOf({ instantTransfer }: ReadPayment): PageView['pix'] {
  if (instantTransfer?.status !== 'ATIVA') return null
  const { pixCopiaECola: code, calendar } = instantTransfer
  const expiresAt = new Date(new Date(calendar.criacao).getTime() + calendar.expiracao * 1000)
  return { code, expiresAt: expiresAt.toISOString() }
}

/** Whether a part has come and the price has run out: the rest is still taken, at the same address. */
function isPartIn({ receivedAmount, dataError }: ReadPayment, status: PageStatus): boolean {
  return receivedAmount !== '0' && (status === 'expired' || dataError?.code === UNDERPAID_CODE)
}

function addressOf({ address, toCurrencySymbol: token }: ReadPayment): PageView['address'] {
  if (!address) return null
  const { chainName: chain, ...shown } = address
  return { ...shown, chain, token }
}

function addressNoteOf({
  address,
  amountTo: asked,
  settledAmount: came,
  overpaidAmount,
  late,
  toCurrencySymbol: token,
}: ReadPayment): PageView['addressNote'] {
  if (!address) return null
  // The shop, or its tolerance, has taken it for the whole.
  const short = asked !== null && came !== null && compare(came, asked) < 0 ? { came, asked } : null
  const over = overpaidAmount === '0' ? null : overpaidAmount
  return over !== null || late || short ? { short, over, isLate: late, token } : null
}

/** An address counts for itself where it is what was paid at. */
function besideOf(payment: ReadPayment, status: PageStatus): PageView['beside'] {
  const { address, receivedAmount: received, overpaidAmount: over, toCurrencySymbol: token, dataError } = payment
  const none = { lying: null, tooLate: null, twice: null, token }
  // What was given back, of too little, was received as well.
  if (status === 'canceled' && dataError?.code !== REFUNDED_CODE && received !== '0')
    return { ...none, tooLate: received }
  if ((status !== 'paid' && status !== 'received') || address || over === '0') return null
  const lying = compare(received, over) < 0 ? received : over
  const twice = subtract(over, lying)
  return { ...none, lying: isPositive(lying) ? lying : null, twice: isPositive(twice) ? twice : null }
}

function backOf(payment: ReadPayment): PageView['back'] {
  const { refundedCurrency: currency, payerCharge, refunds } = payment
  if (currency === null) return null
  const charged = payerCharge?.isEstimate === false ? payerCharge.amount : undefined
  const done = moneyBackOf({ ...payment, charged })
  const open = sum((refunds ?? []).filter(({ status }) => status === 'PENDING').map(({ amount }) => amount))
  const onItsWay = isPositive(open) ? open : null
  return (done.refunded ?? done.takenBack ?? onItsWay) === null ? null : { ...done, onItsWay, currency }
}

/** A payer of fiat is told nothing of tokens. */
function priceOf({ transactionType, amountTo, toCurrencySymbol, quote }: ReadPayment): PageView['price'] {
  if (transactionType !== 'CRYPTO' || amountTo === null || quote === null) return null
  return { amount: amountTo, token: toCurrencySymbol, expiresAt: quote.expiresAt }
}

function receiptOf(payment: ReadPayment, chains: readonly Chain[]): PageView['receipt'] {
  const { id: reference, transactionType, chainName, tidHash, updatedAt, paidAt } = payment
  // Of a payment in fiat the hash is the payout's, which is none of the payer's business.
  const hash = transactionType === 'CRYPTO' ? tidHash : null
  const explorerUrl = chains.find(({ name }) => name === chainName)?.explorerUrl
  return {
    reference,
    at: paidAt ?? updatedAt,
    hash,
    explorer: hash === null || explorerUrl === undefined ? null : `${explorerUrl.replace(/\/$/, '')}/tx/${hash}`,
  }
}

function receiptEmailOf(state: string | null): PageView['receiptEmail'] {
  if (state === 'AVAILABLE') return 'available'
  return state === 'REQUESTED' || state === 'SENT' ? 'requested' : null
}

function methodsOf(
  { paymentMethodAllowed: allowed, receivedAmount }: ReadPayment,
  { products }: Merchant,
  { cardTokenEndpoint, has }: { cardTokenEndpoint: string | null; has: Record<'wallet' | 'address', boolean> },
): Method[] {
  const isCryptoOffered = allowed.crypto && products.includes('crypto')
  // The rest of what has come to the address goes there too.
  if (receivedAmount !== '0') return isCryptoOffered && has.address ? ['address'] : []
  const offered: readonly [Method, boolean][] = [
    ['pix', allowed.pixcrypto && products.includes('pix')],
    [
      'card',
      (allowed.cardcrypto || allowed.cardfiat) && products.includes('credit_card') && cardTokenEndpoint !== null,
    ],
    ['wallet', isCryptoOffered && has.wallet],
    ['address', isCryptoOffered && has.address],
  ]
  return offered.flatMap(([method, isOffered]) => (isOffered ? [method] : []))
}
