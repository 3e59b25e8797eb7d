import { createHmac } from 'node:crypto'
import { compare, sum, toBaseUnits } from '../../../../kernel/money.js'
import { protocolError, ProviderError } from '../../../../kernel/provider-error.js'
import type { Refund, StoredPayer } from '../../model/charge.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import {
  REFUND_ID_TAKEN,
  type CardToken,
  type ChargeOrder,
  type ProcessorAdapter,
  type RefundAnswer,
  type RefundOrder,
} from '../processor-adapter.js'
import { hashTaxId, maskTaxId, readTaxId } from '../tax-id.js'
import { readCardCallback } from './callback.js'
import type { CardClient } from './client.js'
import { listPayables } from './list-payables.js'
import { listReceived } from './list-received.js'
import { cardOf, orderBody, refundSplitOf } from './order-request.js'
import type { CardSettings } from './settings.js'
import {
  canceledAmountOf,
  changedAtOf,
  challengeOf,
  readOrder,
  readOrders,
  readToken,
  shownCanceledOf,
  shownCardOf,
  type OrderView,
} from './wire.js'

/** What the adapter is made of. */
export interface CardAdapterOptions {
  client: CardClient
  settings: CardSettings
  /** Hashes payers' documents; 32 bytes. */
  documentKey: Buffer
}

/** The card processor's charges, refunds and tokens. */
export function cardAdapter({ client, settings, documentKey }: CardAdapterOptions): ProcessorAdapter {
  const retrieve = (reference: string): Promise<OrderView | undefined> => retrieveOrder(client, reference)
  return {
    currency: 'BRL',
    decimals: 2,
    chargesImmediately: true,
    referenceOf: (paymentId, attempt) => (attempt === 1 ? paymentId : `${paymentId}-${attempt}`),
    payerOf: (input) => payerOf(input, documentKey),
    create: (order) => createOnce(client, order),
    retrieve,
    listReceived: (window) => listReceived(client, window),
    listPayables: (window) => listPayables(client, window),
    feeMaxPercent: settings.feeMaxPercent,
    feeRecipient: settings.platformRecipient,
    cancel: async (reference) => {
      const view = await retrieve(reference)
      if (view?.status === 'open') await client.cancelCharge(view.chargeId, `void-${reference}`)
    },
    refund: (order) => refundOnce(client, order),
    refundIdLifeMs: REFUND_ID_LIFE_MS,
    show: () => Promise.resolve(undefined),
    challengeOf,
    shownCardOf,
    readCallback: (callback) => readCardCallback(callback, settings),
    // The address is set in the processor's dashboard; its API has no call for it.
    ensureCallbacks: () => Promise.resolve(),
    tokenEndpoint: `${settings.baseUrl}/tokens?appId=${encodeURIComponent(settings.publicKey)}`,
    tokenize: async (card): Promise<CardToken> => {
      return readToken(await client.createToken({ type: 'card', card: cardOf(card) }).catch(throwRefusal))
    },
  }
}

/** The processor keeps an `Idempotency-Key` for 24 hours; an hour less, for clocks that differ and requests that take long. */
const REFUND_ID_LIFE_MS = 23 * 3_600_000

/** How often an order is sent before we give up; each time the processor is asked what came of it. */
const TRIES = 2

/**
 * Makes an order, once: it is sent under a code and a key of ours, and whatever goes wrong with an answer, the processor
 * is asked for the code before anything else.
 * @throws ProviderError `declined` or `invalid_request` where the processor refuses the request itself; after any other
 *   nobody knows
 */
async function createOnce(client: CardClient, order: ChargeOrder): Promise<OrderView> {
  const body = orderBody(order)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readOrder(await client.createOrder(body, order.reference))
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'auth') throw error
      if (error.kind === 'invalid_request') return throwRefusal(error)
      // The card or its customer is not there any more.
      if (error.kind === 'not_found' && order.cardOnFile) return throwDeclined(error, undefined)
      const view = await retrieveOrder(client, order.reference)
      if (view) return assertSame(view, order)
      // What timed out may still be at work; what was cut is sent again under the same key.
      if (error.kind !== 'unavailable' || attempt >= TRIES) throw error
    }
  }
}

/** An order of our code is ours, if its amount is: nobody else makes such codes. */
function assertSame(view: OrderView, { amount, reference }: ChargeOrder): OrderView {
  if (compare(centsAsAmount(view.data['amount']), amount) === 0) return view
  throw protocolError('card', `card has another amount under ${reference}`)
}

function centsAsAmount(cents: unknown): string {
  const digits = (typeof cents === 'number' ? String(cents) : '0').padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The order of a code; where a code was used twice, that which took money, as there is one that counts. */
async function retrieveOrder(client: CardClient, reference: string): Promise<OrderView | undefined> {
  const orders = readOrders(await client.findOrders(reference)).map(readOrder)
  const ours = orders.filter(({ code }) => code === reference)
  return ours.find(({ receivedPayments }) => receivedPayments.length > 0) ?? ours[0]
}

/**
 * Refunds a part of a charge, once: whatever goes wrong with the answer, the charge itself tells how much went back. The rules
 * of the split are ours, in cents: left out, the processor would take its own roundings of those of the capture.
 */
async function refundOnce(client: CardClient, order: RefundOrder): Promise<RefundAnswer> {
  const { receiptId, providerRefundId, amount, orderedAt, doneBefore } = order
  const done: Refund = { id: providerRefundId, amount, status: 'done', forced: false, reason: 'refund' }
  const cents = toBaseUnits(amount, 2)
  const split = refundSplitOf(order)
  const body = { amount: Number(cents), operation_reference: providerRefundId, ...(split.length > 0 && { split }) }
  try {
    const answer = await client.cancelCharge(receiptId, providerRefundId, body)
    const shown = shownCanceledOf(answer)
    const changedAt = changedAtOf(answer)
    // The answer of before to the same key, from when less was refunded.
    const isAmongDone = shown !== undefined && compare(shown, sum([...doneBefore, amount])) < 0
    const isOld = changedAt === undefined || changedAt < orderedAt
    return { ...done, isAmongDone, isOfLost: isAmongDone && isOld }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'auth') throw error
    const canceled = canceledAmountOf(await client.getCharge(receiptId))
    if (compare(canceled, sum([...doneBefore, amount])) >= 0) return done
    return isKeyTaken(error) ? throwKeyTaken(error) : throwRefusal(error)
  }
}

/** Whether the processor says itself that it is the key which was used before: it answers 409 to other things as well. */
function isKeyTaken({ kind, body }: ProviderError): boolean {
  const { message } = (body ?? {}) as { message?: unknown }
  return kind === 'conflict' && typeof message === 'string' && /idempoten/i.test(message)
}

function throwKeyTaken({ provider, httpStatus, message }: ProviderError): never {
  const about = { provider, httpStatus, message, providerCode: REFUND_ID_TAKEN }
  throw new ProviderError({ ...about, kind: 'conflict', retryable: false })
}

/**
 * A refusal in our words: where it names the token, callers are told so. What the processor says is left out: its answer
 * quotes the request.
 */
function throwRefusal(error: unknown): never {
  if (!(error instanceof ProviderError) || error.kind !== 'invalid_request') throw error
  return throwDeclined(
    error,
    fieldsOf(error.body).some((field) => field.includes('card_token')) ? 'card_token' : undefined,
  )
}

function throwDeclined({ provider, httpStatus, message }: ProviderError, providerCode: string | undefined): never {
  throw new ProviderError({ provider, kind: 'declined', retryable: false, httpStatus, message, providerCode })
}

function fieldsOf(body: unknown): string[] {
  const errors = (body as { errors?: unknown } | undefined)?.errors
  return typeof errors === 'object' && errors !== null ? Object.keys(errors) : []
}

function payerOf({ payerDocument, payerDocumentType }: CreateTransactionInput, key: Buffer): StoredPayer {
  const text = payerDocument ?? ''
  const taxId = payerDocumentType === 'PASSPORT' ? undefined : readTaxId(text)
  if (taxId) return { masked: maskTaxId(taxId), hash: hashTaxId(taxId, key) }
  const hash = createHmac('sha256', key).update(`passport:${text.toUpperCase()}`).digest('hex')
  return { masked: `***${text.slice(-2)}`, hash }
}
