import type { CardOutcome } from './cards.js'
import type { SentOrder } from './check-order.js'
import type { Json } from './read.js'

/** The one transaction that a charge shows. */
export interface SimulatedTransaction extends Json {
  id: string
  status: string
  success: boolean
}

/** The charge of an order. */
export interface SimulatedCharge extends Json {
  id: string
  amount: number
  paid_amount: number
  canceled_amount: number
  status: string
  paid_at: string | null
  last_transaction: SimulatedTransaction
}

/** An order as the processor shows it. It has one charge, because we sell by card only. */
export interface SimulatedOrder extends Json {
  id: string
  code: string | null
  status: string
  charges: [SimulatedCharge]
}

/** What the processor owes a recipient of a charge, or takes back from it (docs.pagar.me, payables); amounts in cents. */
export interface SimulatedPayable {
  id: string
  status: 'waiting_funds' | 'paid'
  /** Below 0 where it is taken back. */
  amount: number
  /** What the processor keeps of it. */
  fee: number
  anticipation_fee: number
  fraud_coverage_fee: number
  installment: number
  charge_id: string
  split_id: string | null
  recipient_id: string
  payment_date: string
  created_at: string
  updated_at: string
  type: 'credit' | 'refund' | 'chargeback' | 'chargeback_refund'
}

/** How statuses and answers of the acquirer differ by what a payment comes to. */
interface Shape {
  order: string
  charge: string
  transaction: string
  success: boolean
  code: string
  message: string
  antifraud: string
}

const SHAPES: Readonly<Record<CardOutcome, Shape>> = {
  paid: shape('paid', 'paid', 'captured', '0000', 'Transação aprovada com sucesso'),
  refused: shape('failed', 'failed', 'not_authorized', '1007', 'Transação não autorizada'),
  'processing-then-paid': shape('pending', 'processing', 'with_error', '9999', 'Transação em processamento'),
  'processing-then-failed': shape('pending', 'processing', 'with_error', '9999', 'Transação em processamento'),
  failed: shape('failed', 'failed', 'with_error', '9999', 'Erro de comunicação com o adquirente'),
  'antifraud-refused': {
    ...shape('failed', 'failed', 'voided', '0000', 'Transação desfeita'),
    antifraud: 'reproved',
  },
  challenged: shape('pending', 'pending', 'waiting_authentication', '', ''),
  'antifraud-review': {
    ...shape('pending', 'pending', 'authorized_pending_capture', '0000', 'Transação em análise'),
    antifraud: 'manual',
  },
}

function shape(order: string, charge: string, transaction: string, code: string, message: string): Shape {
  return { order, charge, transaction, success: charge === 'paid', code, message, antifraud: 'approved' }
}

/** Who pays with what, as the processor has them, and what it comes to. */
export interface Payer {
  customer: Json
  card: Json
  outcome: CardOutcome
}

/** Makes the order that a good request comes to. */
export function createOrder(
  sent: SentOrder,
  { customer, card, outcome }: Payer,
  { newId, now }: { newId: (prefix: string) => string; now: Date },
): SimulatedOrder {
  const { order: status, charge: chargeStatus } = SHAPES[outcome]
  const at = now.toISOString()
  const { id: orderId, code } = { id: newId('or'), code: sent.code }
  const charge: SimulatedCharge = {
    id: newId('ch'),
    code: code ?? orderId,
    gateway_id: newId('gw'),
    amount: sent.amount,
    paid_amount: chargeStatus === 'paid' ? sent.amount : 0,
    canceled_amount: 0,
    status: chargeStatus,
    currency: 'BRL',
    payment_method: 'credit_card',
    paid_at: chargeStatus === 'paid' ? at : null,
    created_at: at,
    updated_at: at,
    customer,
    last_transaction: transactionOf(sent, card, SHAPES[outcome], { newId, at }),
  }
  const order: SimulatedOrder = {
    id: orderId,
    code,
    amount: sent.amount,
    currency: 'BRL',
    closed: true,
    status,
    items: sent.items.map((item) => ({ id: newId('oi'), ...item, status: 'active' })),
    customer,
    charges: [charge],
    created_at: at,
    updated_at: at,
    closed_at: at,
    metadata: {},
  }
  return order
}

function transactionOf(
  { amount, creditCard, split }: SentOrder,
  card: Json,
  { transaction, success, code, message, antifraud }: Shape,
  { newId, at }: { newId: (prefix: string) => string; at: string },
): SimulatedTransaction {
  return {
    id: newId('tran'),
    transaction_type: 'credit_card',
    gateway_id: newId('gw'),
    amount,
    status: transaction,
    success,
    installments: creditCard['installments'],
    statement_descriptor: creditCard['statement_descriptor'] ?? null,
    operation_type: creditCard['operation_type'] ?? 'auth_and_capture',
    acquirer_name: 'simulator',
    acquirer_tid: newId('tid'),
    acquirer_nsu: newId('nsu'),
    acquirer_auth_code: success ? '158' : null,
    acquirer_message: message === '' ? null : message,
    acquirer_return_code: code === '' ? null : code,
    card,
    gateway_response: { code: '200', errors: [] },
    antifraud_response: {
      status: antifraud,
      provider_name: 'simulator',
      score: antifraud === 'approved' ? 'low' : 'high',
    },
    split,
    created_at: at,
    updated_at: at,
  }
}

/** What may happen to a charge after its order was answered. */
export type ChargeChange = 'paid' | 'failed' | 'unauthenticated' | 'refunded' | 'voided' | 'chargedback' | 'won'

const CHANGES: Readonly<Record<ChargeChange, { order: string; charge: string; transaction: string }>> = {
  paid: { order: 'paid', charge: 'paid', transaction: 'captured' },
  failed: { order: 'failed', charge: 'failed', transaction: 'not_authorized' },
  unauthenticated: { order: 'failed', charge: 'failed', transaction: 'not_authorized' },
  refunded: { order: 'canceled', charge: 'canceled', transaction: 'refunded' },
  voided: { order: 'canceled', charge: 'canceled', transaction: 'voided' },
  chargedback: { order: 'paid', charge: 'chargedback', transaction: 'chargedback' },
  won: { order: 'paid', charge: 'paid', transaction: 'captured' },
}

/** Changes an order's charge. @param amount how much a refund gives back in cents; the order stays paid where it is a part */
export function changeOrder(order: SimulatedOrder, change: ChargeChange, now: Date, amount?: number): void {
  const [charge] = order.charges
  const next = CHANGES[change]
  const at = now.toISOString()
  const transaction = charge.last_transaction
  if (change === 'paid') {
    charge.paid_amount = charge.amount
    charge.paid_at = at
    transaction['acquirer_return_code'] ??= '0000'
    transaction['antifraud_response'] = { status: 'approved', provider_name: 'simulator', score: 'low' }
  }
  if (change === 'refunded' || change === 'voided') charge.canceled_amount += amount ?? charge.amount
  const isPartial = change === 'refunded' && charge.canceled_amount < charge.paid_amount
  transaction.status = isPartial ? 'partial_refunded' : next.transaction
  transaction.success = change !== 'failed' && change !== 'unauthenticated'
  if (!isPartial) {
    charge.status = next.charge
    order.status = next.order
  }
  if (change === 'refunded' || change === 'voided') charge['canceled_at'] = at
  charge['updated_at'] = at
  order['updated_at'] = at
}
