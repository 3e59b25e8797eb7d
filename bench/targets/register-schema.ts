/** A body of the register route whose form is good. */
export interface RegisterBody {
  tenant_data: { public_client_id: string; webhook_url: string }
  payment_method_allowed: Record<string, boolean>
  split_payment_config: { receiver_wallet: string; receiver_percent: number }[]
  gateway_method: string
  from_currency_symbol: string
  amount_from: string
  to_currency_symbol: string
  to_chain: string
  on_ramp: boolean
  metadata?: unknown
}

const flags = Object.fromEntries(
  ['crypto', 'pixcrypto', 'cardcrypto', 'cardfiat', 'cryptofiat', 'cryptopix'].map((name) => [
    name,
    { type: 'boolean', default: false },
  ]),
)

/** The form of a body, and those rules that a JSON schema can state; fastify compiles it. */
export const REGISTER_SCHEMA = {
  type: 'object',
  required: [
    'executor_id',
    'tenant_data',
    'payment_method_allowed',
    'split_payment_config',
    'gateway_method',
    'from_currency_symbol',
    'amount_from',
    'to_currency_symbol',
    'to_chain',
    'on_ramp',
  ],
  properties: {
    executor_id: { const: 'api_transaction' },
    tenant_data: {
      type: 'object',
      required: ['public_client_id', 'webhook_url'],
      properties: {
        public_client_id: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9]*[_-]?[0-9a-f]{32}$' },
        webhook_url: { type: 'string', pattern: '^https?://' },
      },
    },
    payment_method_allowed: { type: 'object', properties: flags },
    split_payment_config: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['receiver_wallet', 'receiver_percent'],
        properties: {
          receiver_wallet: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
          receiver_percent: { type: 'number', minimum: 0, maximum: 100 },
          recipient_id: { type: 'string' },
          liable: { type: 'boolean' },
          charge_processing_fee: { type: 'boolean' },
        },
      },
    },
    gateway_method: { enum: ['direct', 'subs'] },
    from_currency_symbol: { enum: ['BRL', 'USD'] },
    amount_from: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$' },
    to_currency_symbol: { enum: ['USDT', 'USDC', 'POL'] },
    to_chain: { const: 'polygon' },
    on_ramp: { type: 'boolean' },
  },
}

/** The rules that the schema cannot state: at least one method, shares that sum to 100, no on-ramp by Pix. */
export function rulesBroken(body: RegisterBody): boolean {
  const methods = body.payment_method_allowed
  const total = body.split_payment_config.reduce((sum, { receiver_percent: percent }) => sum + percent, 0)
  return !Object.values(methods).includes(true) || total !== 100 || (body.on_ramp && methods['pixcrypto'] === true)
}
