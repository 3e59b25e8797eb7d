import type { Clock } from '../../../kernel/clock.js'
import { run, type Queryable } from '../../../kernel/database.js'

/** A signed transaction to be relayed. */
export interface NewRelay {
  tenantId: string
  /** Base58; what the chain knows it by. */
  signature: string
  chainName: string
  /** Base64. */
  wire: string
}

/** What is known of a relay: nothing yet, or its end, which is the chain's and never changes. */
export type KnownRelay =
  { state: 'stored' } | { state: 'confirmed'; slot: number } | { state: 'failed'; slot: number; error: unknown }

/** The transactions that were relayed, written down before they are sent. */
export interface RelaysStore {
  find: (tenantId: string, signature: string) => Promise<KnownRelay | undefined>
  /** Once per tenant and signature. */
  add: (relay: NewRelay) => Promise<void>
  /** Writes down where it landed and whether it did what it says; `error` is null where it did. */
  finish: (tenantId: string, signature: string, end: { slot: number; error: unknown }) => Promise<void>
}

const FIND = {
  name: 'yield_relay_find',
  text: 'select state, slot::int8 as slot, error from yield.relay where tenant_id = $1 and signature = $2',
}
const ADD = {
  name: 'yield_relay_add',
  text: `insert into yield.relay (tenant_id, signature, chain_name, wire, state, created_at)
    values ($1, $2, $3, $4, 'stored', $5::timestamptz) on conflict (tenant_id, signature) do nothing`,
}
const FINISH = {
  name: 'yield_relay_finish',
  text: `update yield.relay set state = $3, slot = $4, error = $5::jsonb where tenant_id = $1 and signature = $2`,
}

/** The relays in the schema of yield, by tenant and signature. */
export function relaysStore(pool: Queryable, clock: Clock): RelaysStore {
  return {
    find: async (tenantId, signature) => {
      const [row] = await run<{ state: KnownRelay['state']; slot: string | null; error: unknown }>(pool, FIND, [
        tenantId,
        signature,
      ])
      if (!row) return undefined
      if (row.state === 'stored') return { state: 'stored' }
      // A slot is far below 2^53; the driver gives eight bytes as text.
      const slot = Number(row.slot)
      return row.state === 'confirmed' ? { state: 'confirmed', slot } : { state: 'failed', slot, error: row.error }
    },
    add: async ({ tenantId, signature, chainName, wire }) => {
      await run(pool, ADD, [tenantId, signature, chainName, wire, clock.now().toISOString()])
    },
    finish: async (tenantId, signature, { slot, error }) => {
      const isOk = error === null
      await run(pool, FINISH, [
        tenantId,
        signature,
        isOk ? 'confirmed' : 'failed',
        slot,
        isOk ? null : JSON.stringify(error),
      ])
    },
  }
}
