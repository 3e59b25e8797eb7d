import { setTimeout as delay } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { executeIn, run, type Queryable } from './database.js'
import { AppError } from './errors.js'

/**
 * How long a key stays claimed without news of the process that runs the request. Time is the database's: the clocks of
 * processes may be seconds apart, and a sandbox's is moved by hours.
 */
export const LEASE_SECONDS = 4

/** A process tells of itself this often; what has ended before is never renewed, and costs nothing. */
const RENEW_MS = 1_000

/** Which request holds which key. */
export interface Claim {
  tenantId: string
  key: string
  /** The request's own; the next one that takes the key has another. */
  claim: string
}

/** Rows that a transaction of their request has locked are at their end, and are left to it. */
const RENEW = {
  name: 'idempotency_renew',
  text: `update kernel.idempotency_key set leased_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
    where (tenant_id, key) in (
      select taken.tenant_id, taken.key from kernel.idempotency_key as taken
      join json_to_recordset($1::json) as held ("tenantId" text, key text, claim text)
        on taken.tenant_id = held."tenantId" and taken.key = held.key and taken.claim = held.claim
      where taken.answer is null for update of taken skip locked)`,
}

/** What this process holds, and whether it is telling so. */
interface Keeper {
  held: Set<Claim>
  isRenewing: boolean
}

/** By the pool that the claims were made on. */
const keepers = new WeakMap<Queryable, Keeper>()

/** Keeps a claim alive for as long as this process lives. @returns what ends that, once the request has */
export function keepClaim(pool: Queryable, claim: Claim): () => void {
  const keeper = keepers.get(pool) ?? { held: new Set(), isRenewing: false }
  keepers.set(pool, keeper)
  keeper.held.add(claim)
  if (!keeper.isRenewing) void renewWhileHeld(pool, keeper)
  return () => keeper.held.delete(claim)
}

async function renewWhileHeld(pool: Queryable, keeper: Keeper): Promise<void> {
  keeper.isRenewing = true
  while (keeper.held.size > 0) {
    await delay(RENEW_MS, undefined, { ref: false })
    // A claim that cannot be renewed lapses, and its request finds that out before it changes anything.
    if (keeper.held.size > 0) await run(pool, RENEW, [JSON.stringify([...keeper.held])]).catch(() => undefined)
  }
  keeper.isRenewing = false
}

const HOLDS = `select 1 as holds from kernel.idempotency_key
  where tenant_id = ? and key = ? and claim = ? and answer is null for update`

/**
 * To be called in the transaction that makes the effect of a request real, before it writes: a process that was frozen may
 * have lost the key to the next request, which does the work. While the transaction runs no request can take the key.
 * @throws idempotency_in_progress where another request holds the key
 */
export type Fence = (em: EntityManager) => Promise<void>

export function fenceOf({ tenantId, key, claim }: Claim): Fence {
  return async (em) => {
    const held = await executeIn(em, HOLDS, [tenantId, key, claim])
    if (held.length === 0) throw new AppError('idempotency_in_progress')
  }
}
