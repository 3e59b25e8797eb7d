import { defineEntity, p, type EntityManager, type InferEntity } from '@mikro-orm/postgresql'
import { inTransaction, type Database } from '../../../kernel/database.js'

/** The price of one payment, locked for a while: never changed, a new attempt takes a new one. */
export const QuoteEntity = defineEntity({
  name: 'Quote',
  tableName: 'quote',
  properties: {
    tenantId: p.string().primary(),
    id: p.string().primary(),
    paymentId: p.string(),
    fromCurrencySymbol: p.string(),
    amountFrom: p.string(),
    toCurrencySymbol: p.string(),
    amountTo: p.string(),
    /** How much of the token one unit of the fiat currency buys; a decimal string. */
    rate: p.string(),
    /** Whose price it is. */
    source: p.string(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
})
export type Quote = InferEntity<typeof QuoteEntity>

/** Locked quotes; one is written in the transaction of the change of the payment that it belongs to. */
export interface QuotesStore {
  add: (em: EntityManager, quote: Quote) => void
  find: (tenantId: string, id: string) => Promise<Quote | undefined>
  /** As `find`, in the transaction of `em`. */
  findIn: (em: EntityManager, tenantId: string, id: string) => Promise<Quote | undefined>
  /** In the order of `ids`. */
  findMany: (tenantId: string, ids: readonly string[]) => Promise<(Quote | undefined)[]>
}

/** The quotes in the schema of payments; they are never changed. */
export function quotesStore(db: Database): QuotesStore {
  return {
    add: (em, quote) => {
      em.persist(em.create(QuoteEntity, quote))
    },
    find: (tenantId, id) =>
      inTransaction(db, async (em) => (await em.findOne(QuoteEntity, { tenantId, id })) ?? undefined),
    findIn: async (em, tenantId, id) => (await em.findOne(QuoteEntity, { tenantId, id })) ?? undefined,
    findMany: async (tenantId, ids) => {
      const found = await inTransaction(db, (em) => em.find(QuoteEntity, { tenantId, id: { $in: [...ids] } }))
      const byId = new Map(found.map((quote) => [quote.id, quote]))
      return ids.map((id) => byId.get(id))
    },
  }
}
