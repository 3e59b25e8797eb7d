/** What is registered again and again: a payment that one wallet pays to some receivers. */
export interface Registered {
  publicClientId: string
  webhookUrl: string
  shares: readonly (readonly [wallet: string | undefined, percent: number])[]
}

const TERMS = { currency: 'USD', amount: '150.75', symbol: 'USDT', chain: 'polygon' }

/** The body that registers it over REST. */
export function registration({ publicClientId, webhookUrl, shares }: Registered): Record<string, unknown> {
  return {
    executor_id: 'api_transaction',
    tenant_data: { public_client_id: publicClientId, webhook_url: webhookUrl },
    payment_method_allowed: { crypto: true },
    split_payment_config: shares.map(([wallet, percent]) => ({ receiver_wallet: wallet, receiver_percent: percent })),
    gateway_method: 'direct',
    from_currency_symbol: TERMS.currency,
    amount_from: TERMS.amount,
    to_currency_symbol: TERMS.symbol,
    to_chain: TERMS.chain,
    on_ramp: false,
  }
}

/** The input that registers it over GraphQL. */
export function registrationInput({ publicClientId, webhookUrl, shares }: Registered): Record<string, unknown> {
  return {
    executorId: 'api_transaction',
    tenantData: { publicClientId, webhookUrl },
    paymentMethodAllowed: { crypto: true },
    splitPaymentConfig: shares.map(([wallet, percent]) => ({
      receiverWallet: wallet,
      receiverPercent: String(percent),
    })),
    gatewayMethod: 'DIRECT',
    fromCurrencySymbol: TERMS.currency,
    amountFrom: TERMS.amount,
    toCurrencySymbol: TERMS.symbol,
    toChain: TERMS.chain,
    onRamp: false,
  }
}
