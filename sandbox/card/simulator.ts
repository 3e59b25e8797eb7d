import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { startSimulator, type Simulator } from '../simulator.js'
import { addChallenges } from './challenges.js'
import { createCallbackSender, type CallbackSender } from './callbacks.js'
import { changeOrder, type ChargeChange, type SimulatedCharge, type SimulatedOrder } from './order.js'
import { addFeeControl, addPayableRoutes, addPayables } from './payables.js'
import { addProviderRoutes, BASE_PATH, type ProviderParts } from './provider-routes.js'
import { openCardStore, type CardStore, type StoredOrder } from './store.js'

/** What the simulator of the card processor is made of. */
export interface CardSimulatorOptions {
  port: number
  secretKey: string
  publicKey: string
  /** What callbacks are sent with, as the processor's dashboard sets it. */
  callbackUser: string
  callbackPassword: string
  clock: Clock
  /** Where orders are kept, so that they survive a restart. */
  file?: string
}

/** A running simulator. */
export interface CardSimulator extends Simulator {
  /** The base address of the API, as `CARD_BASE_URL` has it. */
  apiUrl: string
  /** Where callbacks go to; the processor's dashboard sets it. */
  setCallbackUrl: (url: string) => void
  /** How many orders have this code. */
  countOrders: (code: string) => number
}

/** How often payments in processing and callbacks to be repeated are looked at. */
const TICK_MS = 250

/**
 * Starts a simulator of Pagar.me's core API v5 (docs.pagar.me): orders, charges, tokens and callbacks. The control route
 * `POST /sandbox/charges/{id}/{chargeback|win|refund|settle}` does what banks, the dashboard and time do; `settle` takes
 * `{failed: true}` for a payment that comes to nothing, `refund` an `amount` in cents for a part. `POST /sandbox/cards/{id}/{accept|refuse|remove}` says what
 * becomes of charges to a card on file. `POST /sandbox/fees` says what the processor keeps. `GET /sandbox/orders` shows every order.
 */
export async function startCardSimulator(options: CardSimulatorOptions): Promise<CardSimulator> {
  const { secretKey, publicKey, clock, callbackUser: user, callbackPassword: password } = options
  const store = openCardStore(options.file)
  const callbacks = createCallbackSender({ user, password, clock, newId: store.newId })
  const change: ProviderParts['change'] = async (stored, what, amount, split) => {
    changeOrder(stored.order, what, clock.now(), amount)
    addPayables(store, stored.order, what, clock.now(), { cents: amount, split })
    stored.pending = null
    store.save()
    // Not waited for: a caller of the processor must not wait for a callback to itself.
    const isPart = what === 'refunded' && stored.order.charges[0].status === 'paid'
    void tell(callbacks, stored.order, isPart ? ['charge.partial_canceled'] : EVENTS[what])
  }
  const settleDue = async (): Promise<void> => {
    for (const stored of dueOf(store, clock.now())) {
      await change(stored, stored.pending?.outcome === 'processing-then-failed' ? 'failed' : 'paid')
    }
  }
  const simulator = await startSimulator({
    port: options.port,
    serverError: { status: 500, body: { message: 'An error has occurred.' } },
    routes: (app) => {
      const announce = (order: SimulatedOrder): Promise<void> => tell(callbacks, order, eventsOf(order))
      addProviderRoutes(app, {
        url: () => simulator.url,
        store,
        secretKey,
        publicKey,
        clock,
        change,
        announce,
        settleDue,
      })
      addControl(app, store, change)
      addPayableRoutes(app, `${BASE_PATH}/payables`, { store, url: () => simulator.url })
      addFeeControl(app, store, () => clock.now())
      addCardControl(app, store)
      addChallenges(app, store, change)
    },
    onClockMoved: async () => {
      await settleDue()
      await callbacks.retryDue()
    },
  })
  const timer = setInterval(() => void settleDue().then(() => callbacks.retryDue()), TICK_MS).unref()
  return {
    ...simulator,
    apiUrl: simulator.url + BASE_PATH,
    setCallbackUrl: callbacks.setUrl,
    countOrders: (code) => store.orders.filter(({ order }) => order.code === code).length,
    close: async () => {
      clearInterval(timer)
      callbacks.close()
      await simulator.close()
    },
  }
}

function dueOf({ orders }: CardStore, now: Date): StoredOrder[] {
  return orders.filter(({ pending }) => pending !== null && pending.at <= now.getTime())
}

/** The events of a change: of the order where it changes too, and of the charge. */
const EVENTS: Readonly<Record<ChargeChange, readonly string[]>> = {
  paid: ['order.paid', 'charge.paid'],
  failed: ['order.payment_failed', 'charge.payment_failed'],
  unauthenticated: ['order.payment_failed', 'charge.payment_failed'],
  refunded: ['charge.refunded'],
  voided: ['order.canceled', 'charge.refunded'],
  chargedback: ['charge.chargedback'],
  // The processor tells nobody; the charge shows it.
  won: [],
}

/** The events of a new order. */
function eventsOf({ status, charges: [charge] }: SimulatedOrder): readonly string[] {
  const antifraud = charge.last_transaction['antifraud_response'] as { status: string }
  if (antifraud.status === 'reproved') return ['charge.antifraud_reproved', 'order.payment_failed']
  if (antifraud.status === 'manual') return ['charge.antifraud_manual']
  if (status === 'paid') return EVENTS.paid
  if (status === 'failed') return EVENTS.failed
  return [charge.status === 'pending' ? 'charge.pending' : 'charge.processing']
}

async function tell(callbacks: CallbackSender, order: SimulatedOrder, events: readonly string[]): Promise<void> {
  for (const type of events) {
    const { id, code, amount, status, charges } = order
    const data = type.startsWith('order.') ? order : { ...charges[0], order: { id, code, amount, status } }
    await callbacks.send(type, structuredClone(data))
  }
}

type ControlCall = FastifyRequest<{
  Params: { id: string; what: string }
  Body: { failed?: unknown; amount?: unknown } | null
}>

function addControl(
  app: FastifyInstance,
  store: CardStore,
  change: (stored: StoredOrder, what: ChargeChange, amount?: number) => Promise<void>,
): void {
  app.get('/sandbox/orders', () => ({ orders: store.orders.map(({ order }) => order) }))
  app.post('/sandbox/charges/:id/:what', async ({ params, body }: ControlCall, reply) => {
    const found = store.findCharge(params.id)
    if (!found) return reply.code(404).send({ message: 'no such charge' })
    const { stored, charge } = found
    const isPaid = charge.status === 'paid'
    const isOpen = charge.status === 'pending' || charge.status === 'processing'
    if (params.what === 'chargeback' && isPaid) await change(stored, 'chargedback')
    else if (params.what === 'win' && charge.status === 'chargedback') await change(stored, 'won')
    else if (params.what === 'refund' && isPaid) await change(stored, 'refunded', refundOf(charge, body?.amount))
    else if (params.what === 'settle' && isOpen) await change(stored, body?.failed === true ? 'failed' : 'paid')
    else return reply.code(409).send({ message: `a charge that is ${charge.status} cannot take ${params.what}` })
    return { id: charge.id, status: charge.status }
  })
}

/** What is left of a charge, in cents, where it is not said how much is refunded. */
function refundOf({ amount, canceled_amount: before }: SimulatedCharge, requested: unknown): number {
  const left = amount - before
  return typeof requested === 'number' && Number.isInteger(requested) && requested > 0
    ? Math.min(requested, left)
    : left
}

function addCardControl(app: FastifyInstance, store: CardStore): void {
  type Call = FastifyRequest<{ Params: { id: string; what: string } }>
  app.post('/sandbox/cards/:id/:what', async ({ params }: Call, reply) => {
    const { id, what } = params
    const index = store.cards.findIndex((card) => card.id === id)
    const card = store.cards[index]
    if (!card) return reply.code(404).send({ message: 'no such card' })
    if (what === 'remove') store.cards.splice(index, 1)
    else if (what === 'accept' || what === 'refuse') card.outcome = what === 'accept' ? 'paid' : 'refused'
    else return reply.code(404).send({ message: 'a card can be told to accept, refuse, or remove' })
    store.save()
    return { id, what }
  })
}
