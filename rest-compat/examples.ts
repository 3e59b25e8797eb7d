/** What an operation can be sent: values of its path and query by their names, and a body. */
export interface Example {
  params?: Readonly<Record<string, unknown>>
  body?: Readonly<Record<string, unknown>>
}

/** What the examples name, and what a reader replaces by his own. */
export const EXAMPLE = {
  paymentId: 'cm3v0k2x90000l708payment0',
  orderId: 'cm3v0k2x90001l708order000',
  deliveryId: 'cm3v0k2x90002l708delivery',
  publicClientId: 'pk_0123456789abcdef0123456789abcdef',
  webhookUrl: 'https://shop.example.com/webhooks',
  email: 'ana@example.com',
  code: '123456',
  evmWallet: '0x52908400098527886E0F7030069857D2E4169EE7',
  receiver: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  solanaWallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  signedTransaction: '0x02f8b1827a6980843b9aca00',
  signedSolanaTransaction: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAA',
  challenge:
    'shop.example.com wants you to sign in with your Ethereum account:\n0x52908400098527886E0F7030069857D2E4169EE7',
  signature: '0x5f1d2c3b4a',
} as const

const PRICE = { from_currency_symbol: 'BRL', amount_from: '100', to_currency_symbol: 'USDT', to_chain: 'polygon' }
const TERMS = {
  ...PRICE,
  executor_id: 'api_transaction',
  on_ramp: false,
  gateway_method: 'direct',
  payment_method_allowed: { crypto: true, pixcrypto: true },
  split_payment_config: [{ receiver_wallet: EXAMPLE.receiver, receiver_percent: 100 }],
}
const TENANT_DATA = { public_client_id: EXAMPLE.publicClientId, webhook_url: EXAMPLE.webhookUrl }
const CARD = {
  number: '4000000000000010',
  holder_name: 'ANA SILVA',
  holder_document: '52998224725',
  cvv: '123',
  brand: 'Visa',
  exp_month: 12,
  exp_year: 2035,
}
const STRATEGY = { provider: 'alpha_lend', asset: 'USDC', wallet: EXAMPLE.solanaWallet, chain_name: 'solana' }
const OF_PAYMENT: Example = { params: { id: EXAMPLE.paymentId } }
const OF_ORDER: Example = { params: { order_id: EXAMPLE.orderId } }
const OF_TOKEN: Example = { params: { symbol: 'USDC' } }

/** An example of every operation, by its name. A test sends each. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  registerPayment: { body: { ...TERMS, tenant_data: TENANT_DATA } },
  createTransaction: {
    body: {
      payment_id: EXAMPLE.paymentId,
      transaction_type: 'crypto',
      payer_email: EXAMPLE.email,
      payer_wallet: EXAMPLE.evmWallet,
      chain_name: 'polygon',
      payer_token_symbol: 'USDT',
    },
  },
  tokenizeCard: { body: { type: 'card', card: CARD } },
  paymentStatus: OF_PAYMENT,
  listPayments: { params: { status: 'registered', limit: 20 } },
  cancelPayment: OF_PAYMENT,
  refundPayment: { ...OF_PAYMENT, body: { amount: '10', reason: 'requested_by_customer' } },
  listRefunds: OF_PAYMENT,
  executeOnChain: { body: { payment_id: EXAMPLE.paymentId, signed_transaction: EXAMPLE.signedTransaction } },
  quoteMarket: { params: { from: 'ETH', to: 'BRL' } },
  configProducts: {},
  createOrder: { body: { ...TERMS, order_items: [{ name: 'Tea', quantity: 2 }] } },
  listOrders: { params: { page: 1, limit: 20 } },
  getOrder: OF_ORDER,
  updateOrder: { ...OF_ORDER, body: { amount_from: '120' } },
  deleteOrder: OF_ORDER,
  toggleOrder: OF_ORDER,
  toggleOrderByPost: OF_ORDER,
  listWebhookDeliveries: { params: { state: 'delivered', limit: 20 } },
  replayWebhookDelivery: { params: { id: EXAMPLE.deliveryId } },
  sendTestWebhook: { body: { type: 'payment.success' } },
  prepareKyc: { body: { email: EXAMPLE.email } },
  sendEmailOtp: { body: { email: EXAMPLE.email } },
  verifyEmailOtp: { body: { email: EXAMPLE.email, code: EXAMPLE.code } },
  kycStatus: { params: { email: EXAMPLE.email } },
  createWalletChallenge: { body: { wallet: EXAMPLE.evmWallet } },
  prepareWalletKyc: { body: { message: EXAMPLE.challenge, signed_bytes: EXAMPLE.signature } },
  createKycSession: { body: { email: EXAMPLE.email } },
  yieldStrategies: {},
  yieldStrategiesOfToken: OF_TOKEN,
  rebalanceOpportunities: {},
  rebalanceOpportunitiesOfToken: OF_TOKEN,
  depositYield: { body: { ...STRATEGY, amount: '10' } },
  withdrawYield: { body: { ...STRATEGY, amount: '1' } },
  rebalanceYield: {
    body: {
      chain_name: 'solana',
      amount: '1',
      wallet: EXAMPLE.solanaWallet,
      asset: 'USDC',
      provider_out: 'alpha_lend',
      provider_in: 'beta',
    },
  },
  broadcastYield: { body: { chain_name: 'solana', op_signed: EXAMPLE.signedSolanaTransaction } },
  yieldEarnings: { params: STRATEGY },
}

/** Of the stream of a payment's events. It is no row of `ROUTES`, as a call of those gives one answer. */
export const EVENTS_EXAMPLE = { params: { id: EXAMPLE.paymentId } } as const satisfies Example
