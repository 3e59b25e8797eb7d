import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'
import { removeOldRows } from '../../../kernel/remove-old-rows.js'

/** A signed transaction that was broadcast. Its end is the chain's and never changes. */
export const BroadcastEntity = defineEntity({
  name: 'Broadcast',
  tableName: 'relay',
  properties: {
    tenantId: p.string().primary(),
    /** Base58; what the chain knows it by. */
    signature: p.string().primary(),
    chainName: p.string(),
    /** Base64. */
    wire: p.text(),
    state: p.string().$type<'stored' | 'confirmed' | 'failed'>(),
    /** Where it landed; far below 2^53. */
    slot: p.bigint('number').nullable(),
    error: p.json<unknown>().nullable(),
    createdAt: p.datetime(3),
  },
})
export type NewBroadcast = Pick<InferEntity<typeof BroadcastEntity>, 'tenantId' | 'signature' | 'chainName' | 'wire'>

/** What is known of a broadcast; `stored`: it is sent, or about to be. */
export type KnownBroadcast =
  { state: 'stored' } | { state: 'confirmed'; slot: number } | { state: 'failed'; slot: number; error: unknown }

const KEPT_MS = 30 * 86_400_000

export type BroadcastsStore = ReturnType<typeof broadcastsStore>

/** The transactions that were broadcast, by tenant and signature; each is written down before it is sent. */
export function broadcastsStore(db: Database, clock: Clock) {
  const em = () => db.orm.em.fork()
  const rowOf = ({ tenantId, signature, chainName, wire }: NewBroadcast) =>
    ({ tenantId, signature, chainName, wire, error: null, createdAt: clock.now() }) as const
  return {
    async find(tenantId: string, signature: string): Promise<KnownBroadcast | undefined> {
      const row = await em().findOne(BroadcastEntity, { tenantId, signature })
      if (!row) return undefined
      const { state, error } = row
      if (state === 'stored') return { state }
      const slot = Number(row.slot)
      return state === 'confirmed' ? { state, slot } : { state, slot, error }
    },

    /** Once per tenant and signature. */
    async add(broadcast: NewBroadcast): Promise<void> {
      const row = { ...rowOf(broadcast), state: 'stored' } as const
      const insert = em().createQueryBuilder(BroadcastEntity).insert(row)
      await insert.onConflict(['tenantId', 'signature']).ignore().execute()
    },

    /** Removes one that was added and then surely not sent. */
    async remove({ tenantId, signature }: NewBroadcast): Promise<void> {
      await em().nativeDelete(BroadcastEntity, { tenantId, signature, state: 'stored' })
    },

    /**
     * Writes down where it landed and whether it did what it says; `error` is null where it did. Also of one that was not added:
     * another tenant's request may have sent the same bytes.
     */
    async finish(broadcast: NewBroadcast, { slot, error }: { slot: number; error: unknown }): Promise<void> {
      const state = error === null ? 'confirmed' : 'failed'
      const insert = em()
        .createQueryBuilder(BroadcastEntity)
        .insert({ ...rowOf(broadcast), state, slot, error })
      await insert.onConflict(['tenantId', 'signature']).merge(['state', 'slot', 'error']).execute()
    },

    /**
     * Removes broadcasts of 30 days ago. None can land any more: its blockhash lives for minutes, and what this service builds
     * has no durable nonce. The same bytes again are refused by the chain then.
     */
    async removeOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - KEPT_MS).toISOString()
      await removeOldRows(db.pool, { table: 'yield.relay', where: 'created_at < $1::timestamptz' }, [before])
    },
  }
}
