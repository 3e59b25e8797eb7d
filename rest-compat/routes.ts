import { KYC_ROUTES } from './kyc-routes.js'
import { BROADCAST_ERRORS, type RecordRow, type Route } from './route.js'
import { WEBHOOK_ROUTES } from './webhook-routes.js'
import { YIELD_ROUTES } from './yield-routes.js'

/** How the record of a payment differs from what GraphQL answers. */
const PAYMENT_RECORD: RecordRow = {
  // Fiat that becomes crypto comes by Pix; the record's types have no other name for it.
  renamed: { transaction_type: { fiatcrypto: 'pixcrypto' } },
  blank: ['payer_email', 'payer_wallet', 'amount_to', 'chain_name', 'from_chain', 'to_chain'],
}

/** How the record of an order differs from what GraphQL answers. */
const ORDER_RECORD: RecordRow = {
  constants: {
    payment_session_link: {
      value: '',
      schema: { description: 'Empty: predefined payment sessions are not enabled.', type: 'string' },
    },
  },
}

/** Every endpoint of REST, a row each. */
export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/payment/register/intents-create-order',
    summary: 'Registers a payment, from its full terms or from an order.',
    operation: { sent: 'order_code', then: 'register-checkout-payment', otherwise: 'register-payment' },
    aliases: { order_id: 'order_code' },
    subgraph: 'payments',
    reply: { http: 201, status: 'payment_registered', message: 'Payment registered.' },
    errors: ['customer_not_logged', 'product_disabled', 'order_not_found', 'order_inactive'],
  },
  {
    method: 'POST',
    path: '/payment/register/intents-create-transaction',
    summary: 'Creates the transaction of a registered payment: an unsigned one for a wallet, or a charge.',
    operation: 'create-transaction',
    subgraph: 'payments',
    reply: { http: 201, status: 'payment_registered', message: 'Transaction created.' },
    absent: ['data_error'],
    refusal: 'data_error',
    insteadOf: { crypto_tx: notApplicable, fiat_tx: notApplicable },
    errors: [
      'customer_not_logged',
      'product_disabled',
      'payment_not_found',
      'payment_already_processed',
      'kyc_verification_required',
      'kyc_not_approved',
      'payer_document_mismatch',
      'wallet_refused',
      'payment_limit_exceeded',
      'broadcast_simulation_failed',
    ],
  },
  {
    method: 'POST',
    path: '/payment/card/tokenize',
    summary: 'Has the card processor keep a card for one use within 60 seconds.',
    operation: 'tokenize-card',
    subgraph: 'payments',
    product: 'credit_card',
    reply: { http: 201, status: 'card_tokenized', message: 'Card tokenized.' },
    constants: { type: { value: 'card', schema: { description: 'Always card.', type: 'string', enum: ['card'] } } },
    bare: true,
    errors: ['customer_not_logged', 'product_disabled'],
  },
  {
    method: 'GET',
    path: '/payment/:id/status',
    summary: 'A payment and where it stands.',
    operation: 'payment',
    operationId: 'paymentStatus',
    subgraph: 'payments',
    reply: { http: 200, status: 'payment_found', message: 'Payment found.' },
    ...PAYMENT_RECORD,
    errors: ['customer_not_logged', 'payment_not_found'],
  },
  {
    method: 'GET',
    path: '/payment/list',
    summary: "The tenant's payments, newest first, page by page.",
    operation: 'list-payments',
    subgraph: 'payments',
    reply: { http: 200, status: 'payments_listed', message: 'Payments listed.' },
    items: { payments: PAYMENT_RECORD },
    // What a record shows as this word is found by it.
    widened: { transaction_type: { words: { pixcrypto: ['pixcrypto', 'fiatcrypto'] }, by: 'transaction_types' } },
    errors: ['customer_not_logged', 'validation_error'],
  },
  {
    method: 'POST',
    path: '/payment/:id/cancel',
    summary: 'Cancels an unpaid payment for good.',
    operation: 'cancel-payment',
    subgraph: 'payments',
    reply: { http: 200, status: 'payment_canceled', message: 'Payment canceled.' },
    ...PAYMENT_RECORD,
    errors: ['customer_not_logged', 'payment_not_found', 'payment_already_processed'],
  },
  {
    method: 'POST',
    path: '/payment/:id/refund',
    summary: 'Refunds a payment that was charged by Pix or card, or a part of it.',
    operation: 'refund-payment',
    subgraph: 'payments',
    reply: { http: 201, status: 'refund_created', message: 'Refund created.' },
    errors: [
      'customer_not_logged',
      'payment_not_found',
      'payment_not_refundable',
      'refund_exceeds_payment',
      'insufficient_refund_balance',
    ],
  },
  {
    method: 'GET',
    path: '/payment/:id/refunds',
    summary: "A payment's refunds, oldest first.",
    operation: 'list-refunds',
    subgraph: 'payments',
    reply: { http: 200, status: 'refunds_listed', message: 'Refunds listed.' },
    errors: ['customer_not_logged', 'payment_not_found'],
  },
  {
    method: 'POST',
    path: '/payment/execute/on-chain',
    summary: "Relays the payer's signed transaction, once, and waits for its confirmation.",
    operation: 'execute-on-chain',
    subgraph: 'payments',
    reply: {
      by: 'settled',
      replies: {
        true: { http: 200, status: 'payment_confirmed', message: 'The receivers have been paid.' },
        false: {
          http: 200,
          status: 'payment_received',
          message: 'The payment was received; it completes by itself.',
        },
      },
    },
    hidden: ['settled'],
    badInput: 'invalid_parameters',
    errors: [
      'customer_not_logged',
      'invalid_parameters',
      'invalid_signed_transaction',
      'invalid_chain',
      'stale_transaction_nonce',
      'payment_not_found',
      'invalid_payment_status',
      'missing_unsigned_transaction',
      'payment_failed',
      ...BROADCAST_ERRORS,
    ],
  },
  {
    method: 'GET',
    path: '/quote/market',
    summary: 'The price of a pair of currencies.',
    operation: 'quote-market',
    subgraph: 'payments',
    reply: { http: 200, status: 'quote_ok', message: 'Quote found.' },
    badInput: 'params_mismatch',
    crash: 'server_failed',
    absent: ['route'],
    items: {
      route: {
        constants: {
          type: {
            value: 'via_usdt',
            schema: { description: 'Always via_usdt.', type: 'string', enum: ['via_usdt'] },
          },
        },
      },
    },
    errors: ['params_mismatch', 'pair_not_found'],
  },
  {
    method: 'GET',
    path: '/config/products',
    summary: 'The products that are enabled for the key.',
    operation: 'products',
    operationId: 'configProducts',
    isOpen: true,
    subgraph: 'accounts',
    reply: { http: 200, status: 'products_retrieved', message: 'Products retrieved.' },
    errors: [],
  },
  {
    method: 'POST',
    path: '/order/create',
    summary: 'Creates a reusable order; an account has at most 20.',
    operation: 'create-order',
    subgraph: 'orders',
    reply: { http: 200, status: 'order_created', message: 'Order created.' },
    errors: ['customer_not_logged', 'invalid_parameters', 'product_disabled', 'order_limit_reached'],
  },
  {
    method: 'GET',
    path: '/order/list',
    summary: "The tenant's orders, newest first.",
    operation: 'list-orders',
    subgraph: 'orders',
    reply: { http: 200, status: 'orders_listed', message: 'Orders listed.' },
    items: { orders: ORDER_RECORD },
    errors: ['customer_not_logged', 'validation_error'],
  },
  {
    method: 'GET',
    path: '/order/list/:order_id',
    summary: 'One order.',
    operation: 'order',
    operationId: 'getOrder',
    subgraph: 'orders',
    reply: { http: 200, status: 'order_found', message: 'Order found.' },
    ...ORDER_RECORD,
    errors: ['customer_not_logged', 'order_not_found'],
  },
  {
    method: 'PATCH',
    path: '/order/:order_id',
    summary: 'Changes some fields of an order.',
    operation: 'update-order',
    subgraph: 'orders',
    reply: { http: 200, status: 'order_updated', message: 'Order updated.' },
    ...ORDER_RECORD,
    nullClears: true,
    errors: ['customer_not_logged', 'invalid_parameters', 'no_fields_to_update', 'product_disabled', 'order_not_found'],
  },
  {
    method: 'DELETE',
    path: '/order/:order_id',
    summary: 'Deletes an order; it no longer counts for the 20.',
    operation: 'delete-order',
    subgraph: 'orders',
    reply: { http: 200, status: 'order_deleted', message: 'Order deleted.' },
    errors: ['customer_not_logged', 'order_not_found'],
  },
  ...(['PATCH', 'POST'] as const).map((method): Route => ({
    method,
    path: '/order/:order_id/toggle',
    summary: 'Switches an order off, or on again.',
    operation: 'toggle-order',
    ...(method === 'POST' && { operationId: 'toggleOrderByPost' }),
    subgraph: 'orders',
    reply: {
      by: 'active',
      replies: {
        true: { http: 200, status: 'order_activated', message: 'Order activated.' },
        false: { http: 200, status: 'order_deactivated', message: 'Order deactivated.' },
      },
    },
    errors: ['customer_not_logged', 'order_not_found'],
  })),
  ...WEBHOOK_ROUTES,
  ...KYC_ROUTES,
  ...YIELD_ROUTES,
]

/** The line for a kind of transaction that the payment's type does not have. */
function notApplicable({ transaction_type: type }: Readonly<Record<string, unknown>>): string {
  return `Not applicable to ${String(type)} payments.`
}

/** Shows an answer in the words of its row: other names for some values, empty texts where there is nothing, and what is always the same. */
export function showRecord(data: Record<string, unknown>, { renamed = {}, blank = [], constants = {} }: RecordRow) {
  for (const [field, names] of Object.entries(renamed)) data[field] = names[String(data[field])] ?? data[field]
  for (const field of blank) data[field] ??= ''
  for (const [field, { value }] of Object.entries(constants)) data[field] = value
}

/** The row of an operation, for what is shown of its answers elsewhere; empty where no route has it. */
export function rowOf(operation: string): RecordRow {
  return ROUTES.find((route) => route.operation === operation) ?? {}
}
