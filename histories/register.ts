import { divide, fromBaseUnits, isPositive, multiply, roundHalfUp, toBaseUnits } from '../kernel/money.js'
import type { Address } from 'viem'
import { completeMethods } from '../terms/methods.js'
import { chargedParts, NO_FEES, type FeeTerms } from '../subgraphs/payments/model/fees.js'
import type { PaymentAddress } from '../subgraphs/payments/model/payment-address.js'
import { splitRules, splitRulesWithFee } from '../subgraphs/payments/rails/card/split.js'
import type { Charge } from '../subgraphs/payments/store/charge.entity.js'
import { AT_REGISTRATION, NO_NOTES, type Payment } from '../subgraphs/payments/store/payment.entity.js'
import { PLATFORM_RECIPIENT } from './card-provider.js'
import { CHAIN } from './chain.js'
import { addressOf } from './deposits.js'
import type { World } from './world.js'

/** How a payment of a history is paid. */
export type Way = 'pixcrypto' | 'cardcrypto' | 'cardfiat' | 'address'

/** A payment before anything has happened to it. */
export interface Start {
  way: Way
  /** What the payer is asked for, in cents. */
  cents: number
  /** The receivers' shares; they sum to 100. */
  percents: readonly number[]
  fees: FeeTerms
}

const LIFE_MS = 15 * 60_000
/** How much of the token one unit of the fiat currency buys. */
const RATE = '0.184501845018'

/**
 * Writes a payment down whose payer has the charge in hand, with its quote: what `create-transaction` leaves behind. The rate is a
 * constant; the parts are taken by the product's own rule.
 */
export function register({ kept: { memory }, clock, newId }: World, { way, cents, percents, fees }: Start): string {
  const now = clock.now()
  const amount = fromBaseUnits(BigInt(cents), 2)
  const [id, chargeId, quoteId] = [newId(), newId(), newId()]
  const isByAddress = way === 'address'
  const terms = isByAddress ? NO_FEES : fees
  const isFiat = way === 'cardfiat'
  const parts = isFiat ? undefined : chargedParts(terms, amount, 2)
  const fiatFee = isFiat ? chargedParts({ ...terms, spreadPercent: '0' }, amount, 2)?.fee : undefined
  const amountTo = parts ? tokensFor(parts.net) : null
  const expiresAt = new Date(now.getTime() + LIFE_MS)
  const rail = way === 'pixcrypto' ? 'pix' : 'card'
  const base = { tenantId: 'tenant', paymentId: id, createdAt: now, expiresAt }
  const payment: Payment = {
    ...AT_REGISTRATION,
    ...NO_NOTES,
    ...{ tenantId: 'tenant', id, status: 'pending', sequence: 2, createdAt: now, updatedAt: now },
    ...{ executorId: 'order_transaction', orderCode: null, publicClientId: null, webhookUrl: null, onRamp: false },
    ...{ gatewayMethod: 'direct', fromCurrencySymbol: 'BRL', amountFrom: amount, subscriptionConfig: null },
    ...{ toCurrencySymbol: way === 'cardfiat' ? 'BRL' : 'USDT', toChain: way === 'cardfiat' ? null : 'polygon' },
    ...{ amountTo, transactionType: isByAddress ? 'crypto' : way, quoteId: parts ? quoteId : null },
    ...{ chargeId: isByAddress ? null : chargeId, chainName: isByAddress ? 'polygon' : null },
    ...(isByAddress && { splitVersion: 1, payerTokenSymbol: 'USDT' }),
    paymentMethodAllowed: completeMethods({ [isByAddress ? 'crypto' : way]: true }),
    splitPaymentConfig: percents.map((receiverPercent, place) => ({
      receiverWallet: walletOf(id, place),
      receiverPercent,
      ...(way === 'cardfiat' && { recipientId: `rp_${place}`, liable: place === 0 }),
    })),
  } as Payment
  memory.add('payments', payment, (one) => one.id)
  const quote = {
    ...base,
    id: quoteId,
    fromCurrencySymbol: 'BRL',
    amountFrom: amount,
    toCurrencySymbol: 'USDT',
    rate: RATE,
  }
  const kept = {
    feeAmount: parts?.fee ?? '0',
    spreadAmount: parts?.spread ?? '0',
    source: 'model',
    amountTo: amountTo ?? '0',
  }
  if (parts) memory.add('quotes', { ...quote, ...kept }, (one) => one.id)
  if (isByAddress) {
    memory.tables.addresses.push(openedAddress(id, toBaseUnits(amountTo ?? '0', 6), expiresAt))
    return id
  }
  const platformFee = fiatFee === undefined || !isPositive(fiatFee) ? null : fiatFee
  const feeRecipient = platformFee === null ? null : PLATFORM_RECIPIENT
  const charge = {
    id: chargeId,
    rail,
    reference: id,
    amount,
    quoteId: parts ? quoteId : null,
    platformFee,
    feeRecipient,
  }
  memory.add('charges', openCharge(base, charge, now), (one) => one.id)
  return id
}

type NewCharge = Pick<Charge, 'id' | 'rail' | 'reference' | 'amount' | 'quoteId' | 'platformFee' | 'feeRecipient'>

/** What the payer has in hand. */
function openCharge(
  base: Pick<Charge, 'tenantId' | 'paymentId' | 'createdAt' | 'expiresAt'>,
  charge: NewCharge,
  now: Date,
): Charge {
  return {
    ...{ ...base, ...charge, attempt: 1, state: 'open', currency: 'BRL', confirmedAt: null },
    ...{ requestKey: null, requestFingerprint: null, payerMasked: '***', payerHash: 'hash', cardOnFile: null },
    ...{ data: charge.rail === 'pix' ? {} : null, watchUntil: new Date(now.getTime() + 86_400_000) },
  }
}

/** What `open-address` writes down. */
function openedAddress(paymentId: string, due: bigint, expiresAt: Date): PaymentAddress {
  return {
    ...{
      tenantId: 'tenant',
      paymentId,
      chainName: 'polygon',
      address: addressOf(paymentId),
      splitVersion: 1,
      decimals: 6,
    },
    ...{
      token: CHAIN.tokens['USDT']?.address as Address,
      due,
      tolerancePercent: '0',
      fromBlock: 1n,
      laidBefore: 0n,
      expiresAt,
    },
    ...{ watchUntil: new Date(expiresAt.getTime() + 30 * 86_400_000), lastReadBlock: null, lookBackAt: null },
    ...{ shared: 0n, booked: 0n, lookAt: null },
  }
}

/** A receiver's address on the chain, of one payment only. */
export function walletOf(paymentId: string, place: number): string {
  const number = Number(paymentId.slice(1)) * 16 + place + 1
  return `0x${number.toString(16).padStart(40, '0')}`
}

function tokensFor(net: string): string {
  const tokens = divide(multiply(net, RATE), '1', 6)
  return roundHalfUp(tokens, 6)
}

/** How the processor shares a card's charge out. */
export function splitOf(payment: Payment, fee: string | null): { recipient_id: string; amount: number }[] {
  if (payment.transactionType !== 'cardfiat') return []
  const cents = toBaseUnits(payment.amountFrom, 2)
  const receivers = payment.splitPaymentConfig
  const platform = { recipientId: PLATFORM_RECIPIENT, cents: toBaseUnits(fee ?? '0', 2) }
  const rules = fee === null ? splitRules(receivers, cents) : splitRulesWithFee(receivers, cents, platform)
  return rules.map(({ recipient_id, amount }) => ({ recipient_id, amount }))
}
