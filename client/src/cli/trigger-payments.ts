import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentData, RegisterPaymentInput } from '../generated/types.js'
import { NotPossibleError } from './io.js'
import type { PaymentsClient } from '../client.js'
import { control, type SandboxFile } from './sandbox-file.js'

/** A run of something real: the sandbox it is in, and where its webhooks go. */
export interface TriggerContext {
  client: PaymentsClient
  sandbox: SandboxFile
  webhookUrl: string
}

const WAIT_MS = 30_000
const LOOK_MS = 200

/** Numbers of the sandbox's card processor, by what comes of them. */
export const CARDS = { paid: '4000000000000010', refused: '4000000000000028' } as const

/** What orders and payments are about: 100 BRL for USDT. */
export const TERMS = {
  executor_id: 'api_transaction',
  from_currency_symbol: 'BRL',
  amount_from: '100',
  to_currency_symbol: 'USDT',
  to_chain: 'polygon',
  on_ramp: false,
  gateway_method: 'direct',
} as const

/** Registers a payment of 100 BRL. @returns its id */
export async function registered(context: TriggerContext): Promise<string> {
  return register(context, { crypto: true })
}

async function register(
  { client, sandbox, webhookUrl }: TriggerContext,
  methods: RegisterPaymentInput['payment_method_allowed'],
): Promise<string> {
  const terms = {
    ...TERMS,
    payment_method_allowed: methods,
    split_payment_config: [
      {
        receiver_wallet: sandbox.receivers.evm[0] ?? '',
        receiver_percent: 100,
        recipient_id: 'rp_demoShop',
        liable: true,
      },
    ],
  } as const
  const tenant_data = { public_client_id: sandbox.public_client_id, webhook_url: webhookUrl }
  // The payer of an order needs no identity verification.
  const order = await client.createOrder(terms)
  const { order_id: orderCode } = order.data
  try {
    const { data } = await client.registerPayment({ order_code: orderCode, tenant_data })
    return data.payment_id
  } finally {
    await client.deleteOrder({ order_id: orderCode })
  }
}

/** Creates the Pix charge of a payment. */
export async function pendingPix(context: TriggerContext): Promise<{ id: string; txid: string }> {
  const id = await register(context, { pixcrypto: true })
  const { data } = await context.client.createTransaction({
    payment_id: id,
    transaction_type: 'pixcrypto',
    payer_email: 'payer@example.com',
    payer_cpf: '529.982.247-25',
  })
  if (typeof data.fiat_tx === 'string') throw new NotPossibleError(data.fiat_tx)
  return { id, txid: data.fiat_tx.txid }
}

/** Has the sandbox's bank pay a Pix charge, and follows the money to the receiver. @returns the payment's id */
export async function paidByPix(context: TriggerContext): Promise<string> {
  const { id, txid } = await pendingPix(context)
  await control(`${context.sandbox.pix_url}/sandbox/cob/${txid}/pay`, {})
  await untilStatus(context, id, 'success')
  return id
}

/** Cancels a payment whose Pix charge is open. @returns the payment's id */
export async function canceledPix(context: TriggerContext): Promise<string> {
  const { id } = await pendingPix(context)
  await context.client.cancelPayment({ id })
  return id
}

/** Charges a card. @param end what comes of it @returns the payment's id */
export async function paidByCard(context: TriggerContext, number: string, end: PaymentData['status']): Promise<string> {
  const id = await register(context, { cardfiat: true })
  await context.client.createTransaction({
    payment_id: id,
    transaction_type: 'cardfiat',
    payer_email: 'payer@example.com',
    payer_name: 'Ana Silva',
    payer_document: '529.982.247-25',
    payer_document_type: 'CPF',
    payer_phone: { country_code: '55', area_code: '11', number: '987654321' },
    card_data: { installments: 1, statement_descriptor: 'TRIGGER', card: cardOf(number), address: ADDRESS },
  })
  await untilStatus(context, id, end)
  return id
}

/** Has the payer's bank take the money of a paid card charge back. @returns the payment's id */
export async function disputed(context: TriggerContext): Promise<string> {
  const id = await paidByCard(context, CARDS.paid, 'success')
  const { data } = await context.client.paymentStatus({ id })
  const { charges } = data.global_payment_data as { charges: { id: string }[] }
  await control(`${context.sandbox.card_url}/sandbox/charges/${charges[0]?.id ?? ''}/chargeback`, {})
  return id
}

function cardOf(number: string) {
  return {
    number,
    holder_name: 'ANA SILVA',
    holder_document: '52998224725',
    cvv: '123',
    brand: 'Visa',
    exp_month: 12,
    exp_year: new Date().getUTCFullYear() + 4,
  }
}

const ADDRESS = {
  country: 'BR',
  state: 'SP',
  city: 'São Paulo',
  neighborhood: 'Bela Vista',
  street: 'Avenida Paulista',
  street_number: '1000',
  zipcode: '01310100',
}

async function untilStatus({ client }: TriggerContext, id: string, wanted: PaymentData['status']): Promise<void> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const { data } = await client.paymentStatus({ id })
    if (data.status === wanted) return
    if (Date.now() > deadline) {
      throw new NotPossibleError(`The payment ${id} is ${data.status}, and not ${wanted}, after ${WAIT_MS / 1000} s.`)
    }
    await delay(LOOK_MS)
  }
}
