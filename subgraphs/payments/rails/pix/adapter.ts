import { roundHalfUp, compare } from '../../../../kernel/money.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { ChargeData, ChargeView } from '../../model/charge.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ProcessorAdapter, ChargeOrder, RefundOrder, ShownCharge } from '../processor-adapter.js'
import { hashTaxId, maskTaxId, readTaxId, type TaxId } from '../tax-id.js'
import { readPixCallback } from './callback.js'
import type { PixClient } from './client.js'
import { listReceived, readListed } from './list-received.js'
import { qrCodeDataUrl } from './qr-code.js'
import type { PixSettings } from './settings.js'
import { attemptOfTxid, txidOf } from './txid.js'
import { readCob, readRefund, type PixChargeData } from './wire.js'

/** What the adapter is made of. */
export interface PixAdapterOptions {
  client: PixClient
  settings: PixSettings
  /** Where the provider calls us, its secret token included. */
  callbackUrl: string
  callbackToken: string
  /** Hashes tax ids; 32 bytes. */
  taxIdKey: Buffer
}

/** A valor has two decimals on the wire, always. */
const withCents = (amount: string): string => {
  const [whole = '0', cents = ''] = roundHalfUp(amount, 2).split('.')
  return `${whole}.${cents.padEnd(2, '0')}`
}

/** The Pix provider's charges, received payments and refunds. */
export function pixAdapter(options: PixAdapterOptions): ProcessorAdapter {
  const { client, settings, callbackUrl, callbackToken, taxIdKey } = options
  const receiver = { name: settings.receiverName, city: settings.receiverCity }
  const hashPayer = (taxId: TaxId): string => hashTaxId(taxId, taxIdKey)
  const retrieve = async (reference: string): Promise<ChargeView | undefined> => {
    const cob = await orMissing(client.getCob(reference))
    return cob === undefined ? undefined : readCob(cob, receiver, hashPayer)
  }
  return {
    currency: 'BRL',
    decimals: 2,
    chargesImmediately: false,
    referenceOf: txidOf,
    attemptOf: attemptOfTxid,
    payerOf: (input) => {
      const taxId = taxIdOf(input)
      return { masked: maskTaxId(taxId), hash: hashPayer(taxId) }
    },
    create: (order) => createOnce(options, retrieve, order),
    retrieve,
    findReceived: async (receiptId) => {
      const pix = await orMissing(client.getPix(receiptId))
      return pix === undefined ? undefined : readListed(pix)
    },
    listReceived: (window) => listReceived(client, window),
    cancel: async (reference) => {
      await client.patchCob(reference, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }).catch(async (error: unknown) => {
        // A charge that is not active any more cannot be removed, and need not be; one that was never made neither.
        const view = await retrieve(reference)
        if (view?.status === 'open') throw error
      })
    },
    refund: (order) => refundOnce(client, order),
    show,
    readCallback: (callback) => readPixCallback(callback, callbackToken),
    ensureCallbacks: async () => {
      const present = (await orMissing(client.getWebhook(settings.key))) as { webhookUrl?: unknown } | undefined
      if (present?.webhookUrl !== callbackUrl) await client.putWebhook(settings.key, callbackUrl)
    },
  }
}

/** How often a charge is asked for before we give up; each time the provider is asked what came of it. */
const TRIES = 2

/**
 * Makes a charge, once. Whatever goes wrong with the request, the provider is asked whether it has the charge: an answer
 * may have been lost, and a txid that is taken may be our own of before a crash.
 */
async function createOnce(
  { client, settings }: PixAdapterOptions,
  retrieve: ProcessorAdapter['retrieve'],
  order: ChargeOrder,
): Promise<ChargeView> {
  const body = cobBody(settings, order)
  const receiver = { name: settings.receiverName, city: settings.receiverCity }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return readCob(await client.putCob(order.reference, body), receiver)
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === 'auth') throw error
      const view = await retrieve(order.reference)
      if (view && isSame(view, order, settings)) return view
      if (error.kind === 'invalid_request' || view) throw refusal(error)
      if (attempt >= TRIES) throw error
    }
  }
}

function isSame({ data }: ChargeView, order: ChargeOrder, { key }: PixSettings): boolean {
  return data['pix_key'] === key && compare(String(data['amount']), order.amount) === 0
}

function refusal(error: ProviderError): ProviderError {
  const { provider, httpStatus, message } = error
  return new ProviderError({ provider, kind: 'declined', retryable: false, httpStatus, message, cause: error })
}

/** The body of `PUT /cob/{txid}` (CobSolicitada, API Pix 2.9.0). */
function cobBody({ key }: PixSettings, { amount, lifeSeconds, input }: ChargeOrder): object {
  const { kind, value } = taxIdOf(input)
  return {
    calendario: { expiracao: lifeSeconds },
    // The schema wants a name beside the tax id; the contract asks Pix payers for none but their address.
    devedor: { [kind]: value, nome: (input.payerEmail ?? '').slice(0, 200) },
    valor: { original: withCents(amount) },
    chave: key,
  }
}

/** Refunds a Pix, once: the id is ours, and where it was used before the provider tells how far that refund is. */
async function refundOnce(client: PixClient, { receiptId, providerRefundId, amount }: RefundOrder) {
  try {
    const body = { valor: withCents(amount), natureza: 'ORIGINAL' }
    return readRefund(await client.putRefund(receiptId, providerRefundId, body))
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'auth') throw error
    const present = await orMissing(client.getRefund(receiptId, providerRefundId))
    if (present !== undefined) return readRefund(present)
    throw error.kind === 'invalid_request' ? refusal(error) : error
  }
}

async function show(data: ChargeData): Promise<ShownCharge> {
  const charge = data as PixChargeData
  return {
    status: charge.status,
    pixKey: charge.pix_key,
    txid: charge.txid,
    pixCopiaECola: charge.pix_copia_e_cola,
    pixQrCodeDataUrl: await qrCodeDataUrl(charge.pix_copia_e_cola),
    calendar: { criacao: new Date(charge.created_at), expiracao: charge.expires_in_seconds },
  }
}

function taxIdOf({ payerCpf }: CreateTransactionInput): TaxId {
  const taxId = readTaxId(payerCpf ?? '')
  if (!taxId) throw new Error('the payer was not checked')
  return taxId
}

async function orMissing(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'not_found') return undefined
    throw error
  }
}
