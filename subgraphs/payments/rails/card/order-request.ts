import { toBaseUnits } from '../../../../kernel/money.js'
import type { CardDataInput, RawCard } from '../../model/card-input.js'
import type { CardOnFile } from '../../model/charge.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ChargeOrder, PlatformFee, RefundOrder } from '../processor-adapter.js'
import { fullYear, readCardNumber } from './card-number.js'
import { rulesOf, splitRules, splitRulesWithFee, withFee, type SplitRule } from './split.js'

/** What the payer's statement shows is cut to this by the processor's own acquirer (PSP). */
const DESCRIPTOR_MAX = 13

/** The body of `POST /orders` (core v5). It may hold the card's number: it is sent, and kept nowhere. */
export function orderBody(order: ChargeOrder): object {
  const { reference, amount, input, cardOnFile } = order
  const cents = toBaseUnits(amount, 2)
  const split = splitOf(order)
  return {
    code: reference,
    currency: 'BRL',
    closed: true,
    antifraud_enabled: true,
    ...(input.payerIp != null && { ip: input.payerIp }),
    ...(input.sessionId != null && { session_id: input.sessionId }),
    items: [{ code: reference, description: `Payment ${reference}`, quantity: 1, amount: Number(cents) }],
    ...payerOf(order),
    payments: [
      {
        payment_method: 'credit_card',
        amount: Number(cents),
        credit_card: {
          ...(cardOnFile ? savedCardOf(cardOnFile) : creditCardOf(cardDataOf(order))),
          ...(order.recurrence && { recurrence_cycle: order.recurrence }),
        },
        ...(split.length > 0 && { split }),
      },
    ],
  }
}

/** How an order is shared out; no rules where it stays with us. */
function splitOf({ amount, receivers, platformFee }: ChargeOrder): SplitRule[] {
  if (!receivers) return []
  const cents = toBaseUnits(amount, 2)
  return platformFee ? splitRulesWithFee(receivers, cents, feeOf(platformFee)) : splitRules(receivers, cents)
}

/** Who bears how much of a refund; no rules where the money stayed with us. */
export function refundSplitOf({ receivers, platformFee }: RefundOrder): SplitRule[] {
  if (!receivers) return []
  const shares = receivers.map(({ amount }) => toBaseUnits(amount, 2))
  const rules = rulesOf(receivers, shares)
  return platformFee ? withFee(rules, feeOf(platformFee)) : rules
}

function feeOf({ recipientId, amount }: PlatformFee): { recipientId: string; cents: bigint } {
  return { recipientId, cents: toBaseUnits(amount, 2) }
}

/** Who pays: a customer whom the processor knows, or one with every field. */
function payerOf(order: ChargeOrder): object {
  if (order.cardOnFile) return { customer_id: order.cardOnFile.customerId }
  return { customer: customerOf(order.input, cardDataOf(order)) }
}

function cardDataOf({ input }: ChargeOrder): CardDataInput {
  if (!input.cardData) throw new Error('the payer was not checked')
  return input.cardData
}

/** A card that the processor keeps, without its code: the payer is not there. */
function savedCardOf({ cardId, statementDescriptor }: CardOnFile): object {
  return {
    card_id: cardId,
    installments: 1,
    operation_type: 'auth_and_capture',
    ...(statementDescriptor !== null && { statement_descriptor: statementDescriptor }),
  }
}

function customerOf(input: CreateTransactionInput, card: CardDataInput): object {
  const { payerName, payerEmail, payerDocument, payerDocumentType, payerPhone } = input
  return {
    name: payerName,
    email: payerEmail,
    type: payerDocumentType === 'CNPJ' ? 'company' : 'individual',
    document: payerDocumentType === 'PASSPORT' ? payerDocument : payerDocument?.replace(/[./\s-]/g, ''),
    document_type: payerDocumentType,
    address: addressOf(card),
    phones: {
      mobile_phone: {
        country_code: digitsOf(payerPhone?.countryCode),
        area_code: digitsOf(payerPhone?.areaCode),
        number: digitsOf(payerPhone?.number),
      },
    },
  }
}

function creditCardOf(data: CardDataInput): object {
  const { installments, statementDescriptor, cardToken, card, authenticationReturnUrl } = data
  const billing = { billing_address: addressOf(data) }
  const common = {
    installments,
    statement_descriptor: statementDescriptor.slice(0, DESCRIPTOR_MAX),
    operation_type: 'auth_and_capture',
    ...(authenticationReturnUrl != null && {
      authentication: { type: 'threed_secure', threed_secure: { success_url: authenticationReturnUrl } },
    }),
  }
  if (card) return { ...common, card: { ...cardOf(card), ...billing } }
  // Never as `card_id`, whatever it looks like: a card on file is its payer's, and another tenant may know its id.
  return { ...common, card_token: cardToken, card: billing }
}

/** A card as the processor takes it, for a charge or for a token. */
export function cardOf({ number, holderName, holderDocument, expMonth, expYear, cvv, brand }: RawCard): object {
  return {
    number: readCardNumber(number),
    holder_name: holderName,
    holder_document: holderDocument.replace(/[./\s-]/g, ''),
    exp_month: expMonth,
    exp_year: fullYear(expYear),
    cvv,
    ...(brand != null && brand !== '' && { brand }),
  }
}

/** The processor's one line is "number, street, neighborhood". */
function addressOf({ address }: CardDataInput): object {
  const { country, state, city, neighborhood, street, streetNumber, zipcode, complement } = address
  return {
    line_1: [streetNumber, street, neighborhood].join(', '),
    ...(complement != null && complement !== '' && { line_2: complement }),
    zip_code: zipcode,
    city,
    state,
    country: country.toUpperCase(),
  }
}

function digitsOf(text: string | undefined): string {
  return (text ?? '').replace(/\D/g, '')
}
