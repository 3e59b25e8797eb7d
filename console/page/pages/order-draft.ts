import type { CreateOrderVariables } from '../generated/operations.js'
import { typedPrice } from '../parts/typed-amount.js'

export interface DraftReceiver {
  wallet: string
  percent: string
}

/** A payment link as it is being made: text, as its fields have it. */
export interface OrderDraft {
  item: string
  quantity: string
  description: string
  price: string
  currency: string
  token: string
  chain: string
  methods: { pixcrypto: boolean; cardcrypto: boolean; crypto: boolean }
  receivers: readonly DraftReceiver[]
  successUrl: string
}

export const EMPTY_DRAFT: OrderDraft = {
  item: '',
  quantity: '1',
  description: '',
  price: '',
  currency: 'BRL',
  token: 'USDT',
  chain: '',
  methods: { pixcrypto: true, cardcrypto: true, crypto: true },
  receivers: [{ wallet: '', percent: '100' }],
  successUrl: '',
}

/** Who executes orders that come from a person rather than from a shop's program. */
const EXECUTOR = 'api_transaction'

/** What the graph is asked for. A price keeps its digits: no number is made of it. */
export function orderInput(draft: OrderDraft): CreateOrderVariables['input'] {
  const { description, successUrl, chain } = draft
  return {
    executorId: EXECUTOR,
    onRamp: false,
    gatewayMethod: 'DIRECT',
    fromCurrencySymbol: draft.currency,
    amountFrom: typedPrice(draft.price, draft.currency) ?? draft.price,
    toCurrencySymbol: draft.token,
    ...(chain !== '' && { toChain: chain }),
    paymentMethodAllowed: draft.methods,
    orderItems: [
      {
        name: draft.item,
        quantity: Number(draft.quantity),
        ...(description !== '' && { description }),
      },
    ],
    splitPaymentConfig: draft.receivers.map(({ wallet, percent }) => ({
      receiverWallet: wallet.trim(),
      receiverPercent: decimalOf(percent),
    })),
    ...(successUrl !== '' && { successUrl }),
  }
}

/** A decimal as the graph has it, of one typed with a comma, or with no digit before or behind it. */
export function decimalOf(typed: string): string {
  return typed
    .trim()
    .replace(',', '.')
    .replace(/^\.(?=\d)/, '0.')
    .replace(/(?<=\d)\.$/, '')
}

/** What a field takes that `decimalOf` reads, as its `pattern`: no sign, and a digit on one side of the comma at least. */
export const TYPED_DECIMAL = '\\s*(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)\\s*'

/** What the receivers' shares add up to; they have to be 100. */
export function sharesOf({ receivers }: OrderDraft): number {
  return receivers.reduce((sum, { percent }) => sum + Number(decimalOf(percent)), 0)
}
