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
    /** What the platform takes, in the currency that is charged; decimal strings. Payments by wallet have none. */
    feeAmount: p.string(),
    spreadAmount: p.string(),
    /** How much of the token one unit of the fiat currency buys; a decimal string. */
    rate: p.string(),
    /** Whose price it is. */
    source: p.string(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
})
export type Quote = InferEntity<typeof QuoteEntity>

/** The quotes in the schema of payments; they are never changed. */
export function quotesStore(db: Database) {
  return {
    add: (em: EntityManager, quote: Quote): void => {
      em.persist(em.create(QuoteEntity, quote))
    },
    find: (tenantId: string, id: string): Promise<Quote | undefined> =>
      inTransaction(db, async (em) => (await em.findOne(QuoteEntity, { tenantId, id })) ?? undefined),
    /** As `find`, in the transaction of `em`. */
    findIn: async (em: EntityManager, tenantId: string, id: string): Promise<Quote | undefined> =>
      (await em.findOne(QuoteEntity, { tenantId, id })) ?? undefined,
    /** In the order of `ids`. */
    findMany: async (tenantId: string, ids: readonly string[]): Promise<(Quote | undefined)[]> => {
      const found = await inTransaction(db, (em) => em.find(QuoteEntity, { tenantId, id: { $in: [...ids] } }))
      const byId = new Map(found.map((quote) => [quote.id, quote]))
      return ids.map((id) => byId.get(id))
    },
  }
}
