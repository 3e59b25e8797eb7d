import { fromBaseUnits } from '../kernel/money.js'
import type { Clock } from '../kernel/clock.js'
import { ProviderError } from '../kernel/provider-error.js'
import { changeOrder, createOrder, type ChargeChange, type SimulatedOrder } from '../sandbox/card/order.js'
import { addPayables, leftOf } from '../sandbox/card/payables.js'
import { openCardStore } from '../sandbox/card/store.js'
import { cardAdapter } from '../subgraphs/payments/rails/card/adapter.js'
import type { CardClient } from '../subgraphs/payments/rails/card/client.js'
import type { SplitRule } from '../subgraphs/payments/rails/card/split.js'
import type { ProcessorAdapter } from '../subgraphs/payments/rails/processor-adapter.js'
import { amountOf, unitsOf } from '../subgraphs/payments/model/signed-amount.js'
import { failure } from './pix-provider.js'

/** Who gets the platform's fee of what is shared out in fiat. */
export const PLATFORM_RECIPIENT = 'rp_platform'

const KEYS = {
  baseUrl: 'http://127.0.0.1:1/core/v5',
  secretKey: 's',
  publicKey: 'p',
  callbackUser: 'u',
  callbackPassword: 'w',
}

/** What the processor shows of an order in the end: what came, went back by refunds, and is gone by a chargeback; decimal strings. */
export interface CardTruth {
  reference: string
  received: string
  returned: string
  taken: string
}

/** The card processor: the product's adapter and wire format over the sandbox's orders and payables, in this process. */
export interface CardProvider {
  adapter: ProcessorAdapter
  /** Charges a card. @param split in cents; empty where the money stays with us */
  pay: (reference: string, cents: number, split: readonly { recipient_id: string; amount: number }[]) => void
  /** Refunds in the dashboard so many cents, as many as are left at most. */
  refund: (reference: string, cents: number) => void
  chargeback: (reference: string) => void
  win: (reference: string) => void
  /** Changes what is kept of a charge, in cents. */
  changeFee: (reference: string, more: number) => void
  next: { mode: 'done' | 'declined' | 'lost' }
  /** What there is of each order, and what is kept of all. */
  truth: () => { orders: CardTruth[]; kept: string }
}

export function cardProvider(clock: Clock): CardProvider {
  const store = openCardStore(undefined)
  let ids = 0
  store.newId = (prefix) => `${prefix}_${(ids += 1)}`
  const byHand = new Set<string>()
  const orderOf = (reference: string): SimulatedOrder | undefined =>
    store.orders.find(({ order }) => order.code === reference)?.order
  const change: Parts['change'] = (order, what, cents, split): void => {
    changeOrder(order, what, clock.now(), cents)
    addPayables(store, order, what, clock.now(), { cents, split })
  }
  const provider: CardProvider = {
    next: { mode: 'done' },
    adapter: cardAdapter({
      client: clientOf({ store, byHand, change, take: () => takeMode(provider) }),
      settings: { ...KEYS, isRawEnabled: false, platformRecipient: PLATFORM_RECIPIENT },
      documentKey: Buffer.alloc(32, 7),
    }),
    pay: (reference, amount, split) => {
      if (orderOf(reference)) return
      const sent = {
        code: reference,
        amount,
        items: [],
        customer: {},
        creditCard: { installments: 1 },
        split: [...split],
        card: { token: '' },
      }
      const payer = { customer: { id: 'cus' }, card: {}, outcome: 'paid' as const }
      const order = createOrder(sent, payer, { newId: store.newId, now: clock.now() })
      store.orders.push({ order, pending: null })
      addPayables(store, order, 'paid', clock.now())
    },
    refund: (reference, cents) => {
      const order = orderOf(reference)
      const [charge] = order?.charges ?? []
      if (!order || charge?.status !== 'paid') return
      byHand.add(charge.id)
      change(order, 'refunded', Math.min(cents, charge.amount - charge.canceled_amount))
    },
    chargeback: (reference) => {
      const order = orderOf(reference)
      if (order?.charges[0].status === 'paid') change(order, 'chargedback')
    },
    win: (reference) => {
      const order = orderOf(reference)
      if (order?.charges[0].status === 'chargedback') change(order, 'won')
    },
    changeFee: (reference, more) => {
      const charge = orderOf(reference)?.charges[0].id
      const payable = store.payables.find((one) => one.charge_id === charge && one.type === 'credit')
      if (payable) Object.assign(payable, { fee: payable.fee + more, updated_at: clock.now().toISOString() })
    },
    truth: () => ({
      orders: store.orders.map(({ order: { code, charges } }) => {
        const [{ status, paid_amount: paid, canceled_amount: back }] = charges
        const units = (cents: number): string => fromBaseUnits(BigInt(cents), 2)
        const taken = status === 'chargedback' ? units(paid - back) : '0'
        return { reference: code ?? '', received: units(paid), returned: units(back), taken }
      }),
      kept: amountOf(store.payables.reduce((sum, { fee }) => sum + BigInt(fee) * unitsOf('0.01'), 0n)),
    }),
  }
  return provider
}

function takeMode(provider: CardProvider): CardProvider['next']['mode'] {
  const { mode } = provider.next
  provider.next = { mode: 'done' }
  return mode
}

interface Parts {
  store: ReturnType<typeof openCardStore>
  /** The charges that were refunded in the dashboard. */
  byHand: ReadonlySet<string>
  change: (order: SimulatedOrder, what: ChargeChange, cents?: number, split?: readonly SplitRule[]) => void
  take: () => CardProvider['next']['mode']
}

/** The processor's API as a client in this process sees it; `sandbox/card/provider-routes.ts` has the same rules over HTTP. */
function clientOf({ store, byHand, change, take }: Parts): CardClient {
  const answers = new Map<string, unknown>()
  const never = (): never => {
    throw new Error('histories never come here')
  }
  return {
    createOrder: never,
    listOrders: never,
    createToken: never,
    findOrders: (code) =>
      Promise.resolve({
        data: structuredClone(store.orders.map(({ order }) => order).filter((order) => order.code === code)),
      }),
    getCharge: (id) => Promise.resolve(structuredClone(store.findCharge(id)?.charge)),
    listPayables: ({ updated_since: since = '', updated_until: until = '' }) => {
      const data = store.payables.filter(({ updated_at: at }) => at >= since && at <= until)
      return Promise.resolve({ data: structuredClone(data), paging: { next: null } })
    },
    cancelCharge: (id, key, body) => {
      if (answers.has(key)) return Promise.resolve(answers.get(key))
      const mode = take()
      const found = store.findCharge(id)
      const { amount: cents, split = [] } = body as { amount: number; split?: SplitRule[] }
      const isGood = found?.charge.status === 'paid' && cents <= found.charge.amount - found.charge.canceled_amount
      if (!isGood || mode === 'declined') throw refused()
      const left = leftOf(store, found.charge)
      const over = split.find((rule) => rule.amount > (left.get(rule.recipient_id) ?? 0))
      // How the processor has rounded what was refunded in its dashboard nobody here can know.
      if (over && byHand.has(id)) throw refused()
      if (over) throw new Error(`a refund takes more from ${over.recipient_id} than it has of the charge`)
      change(found.stored.order, 'refunded', cents, split)
      answers.set(key, {})
      if (mode === 'lost') throw failure('timeout')
      return Promise.resolve({})
    },
  }
}

function refused(): ProviderError {
  return new ProviderError({
    provider: 'card',
    kind: 'invalid_request',
    retryable: false,
    message: 'refused',
    httpStatus: 412,
  })
}
