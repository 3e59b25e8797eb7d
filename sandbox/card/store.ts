import { createHmac, randomBytes } from 'node:crypto'
import { readKept, writePrivate } from '../private-file.js'
import type { CardOutcome, SentCard } from './cards.js'
import type { SimulatedCharge, SimulatedOrder, SimulatedPayable } from './order.js'

/** An order with what is known of its future. */
export interface StoredOrder {
  order: SimulatedOrder
  /** What it will come to by itself, and when, in milliseconds of the sandbox's time. */
  pending: { outcome: CardOutcome; at: number } | null
}

/** The first answer of an idempotency key. */
export interface FirstAnswer {
  /** A keyed hash of the body, which may hold a card's number. */
  digest: string
  /** In milliseconds of the sandbox's time. */
  at: number
  status: number
  body: unknown
}

/** A card that waits for its one use. */
export interface StoredToken {
  id: string
  card: SentCard
  createdAt: number
  expiresAt: number
}

/** A customer, one for each e-mail address, as the processor shows it. */
export interface StoredCustomer extends Record<string, unknown> {
  id: string
}

/** A customer's card on file: what is shown of it and what charging it comes to, never its number. */
export interface SavedCard {
  id: string
  customerId: string
  shown: Record<string, unknown>
  outcome: CardOutcome
}

/** The simulator's own store. Orders, customers and saved cards survive a restart; numbers, tokens and keys do not. */
export interface CardStore {
  orders: StoredOrder[]
  customers: StoredCustomer[]
  cards: SavedCard[]
  findOrder: (id: string) => StoredOrder | undefined
  findCharge: (id: string) => { stored: StoredOrder; charge: SimulatedCharge } | undefined
  payables: SimulatedPayable[]
  /** What the processor keeps of a charge, in hundredths of a percent. */
  feeBasisPoints: number
  answers: Map<string, FirstAnswer>
  tokens: Map<string, StoredToken>
  digest: (body: unknown) => string
  newId: (prefix: string) => string
  save: () => void
}

const FEE_BASIS_POINTS = 299

/** @param file where orders are kept; nowhere where left out */
export function openCardStore(file: string | undefined): CardStore {
  const { orders, customers = [], cards = [], payables = [] } = readKept<StoredFile>(file) ?? { orders: [] }
  const key = randomBytes(32)
  return {
    orders,
    payables,
    feeBasisPoints: FEE_BASIS_POINTS,
    customers,
    cards,
    findOrder: (id) => orders.find(({ order }) => order.id === id),
    findCharge: (id) => {
      const stored = orders.find(({ order }) => order.charges[0].id === id)
      return stored && { stored, charge: stored.order.charges[0] }
    },
    answers: new Map(),
    tokens: new Map(),
    digest: (body) => createHmac('sha256', key).update(JSON.stringify(body)).digest('hex'),
    newId: (prefix) => `${prefix}_${randomBytes(12).toString('base64url').replace(/[_-]/g, 'x')}`,
    save: () => {
      if (file !== undefined) writePrivate(file, JSON.stringify({ orders, customers, cards, payables }))
    },
  }
}

type StoredFile = Pick<CardStore, 'orders'> & Partial<Pick<CardStore, 'customers' | 'cards' | 'payables'>>
