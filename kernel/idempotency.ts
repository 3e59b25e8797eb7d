import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from './clock.js'
import { executeIn, inTransaction, run, type Database, type Queryable } from './database.js'
import { AppError } from './errors.js'
import { fenceOf, keepClaim, LEASE_SECONDS, type Claim, type Fence } from './idempotency-lease.js'
import { removeOldRows } from './remove-old-rows.js'
import type { Tenant } from './tenant.js'

/** How long a key answers with the answer that it got first. */
export const KEY_LIFE_MS = 24 * 3_600_000

/**
 * The part of a statement that claims a key together with the change: nothing is claimed when the key is taken by a
 * request that is younger than 24 hours. Parameters from `first` on: tenant, key, fingerprint, answer (json), now, cutoff.
 */
export function claimExpression(first: number): string {
  const at = (offset: number): string => `$${first + offset}`
  return `insert into kernel.idempotency_key as taken (tenant_id, key, fingerprint, answer, created_at)
    select ${at(0)}, ${at(1)}, ${at(2)}, ${at(3)}::jsonb, ${at(4)}::timestamptz where ${at(1)}::text is not null
    on conflict (tenant_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at,
        leased_until = null, claim = null
      where taken.created_at < ${at(5)}::timestamptz
    returning 1`
}

/** The values that `claimExpression` takes, in its order; the key is null where the request has none. */
export function claimValues(tenant: Tenant, answer: object, clock: Clock): unknown[] {
  const now = clock.now()
  const { key = null, fingerprint = '' } = tenant.idempotency ?? {}
  return [tenant.id, key, fingerprint, JSON.stringify(answer), now.toISOString(), cutoff(now)]
}

/** What a row of `given` holds of its claim, for `claimGiven`; null where the request has no key. */
export interface ClaimRow {
  key: string | null
  fingerprint: string | null
  answer: object
}

/** The columns of `ClaimRow`, for `json_to_recordset`. */
export const CLAIM_COLUMNS = 'key text, fingerprint text, answer jsonb'

/**
 * As `claimExpression`, for all rows of a table `given`, which has the columns "tenantId" and "createdAt" beside those of
 * `ClaimRow`; returns the tenant and key of those that were claimed. The order is that of the keys, so that two batches with
 * the same keys never wait for each other.
 * @param cutoffParameter of `keyCutoff`
 */
export function claimGiven(cutoffParameter: string): string {
  return `insert into kernel.idempotency_key as taken (tenant_id, key, fingerprint, answer, created_at)
    select "tenantId", key, fingerprint, answer, "createdAt" from given where key is not null order by "tenantId", key
    on conflict (tenant_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at,
        leased_until = null, claim = null
      where taken.created_at < ${cutoffParameter}::timestamptz
    returning tenant_id, key`
}

/** A key that is older than this answers no more, and can be claimed again. */
export function keyCutoff(clock: Clock): string {
  return cutoff(clock.now())
}

const FIND = {
  name: 'idempotency_find',
  text: `select fingerprint, answer, coalesce(leased_until > clock_timestamp(), false) as running
    from kernel.idempotency_key where tenant_id = $1 and key = $2 and created_at >= $3::timestamptz`,
}

const CLAIM = {
  name: 'idempotency_claim',
  text: `insert into kernel.idempotency_key as taken (tenant_id, key, fingerprint, created_at, leased_until, claim)
    values ($1, $2, $3, $4::timestamptz, clock_timestamp() + interval '${LEASE_SECONDS} seconds', $6)
    on conflict (tenant_id, key) do update
      set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at,
        leased_until = excluded.leased_until, claim = excluded.claim
      where taken.created_at < $5::timestamptz or (taken.answer is null and taken.leased_until < clock_timestamp()
        and taken.fingerprint = excluded.fingerprint)
    returning 1 as claimed`,
}

/** Nothing where the key is another request's by now. */
const COMPLETE = `update kernel.idempotency_key set answer = ?::jsonb, leased_until = null
  where tenant_id = ? and key = ? and claim is not distinct from ? and answer is null returning 1 as completed`

const RELEASE = {
  name: 'idempotency_release',
  text: `delete from kernel.idempotency_key where tenant_id = $1 and key = $2 and claim = $3 and answer is null`,
}

/** The first answer of a key that could not be claimed. Throws `idempotency_key_reused` or `idempotency_in_progress`. */
export async function firstAnswer<Answer>(on: Queryable, tenant: Tenant, clock: Clock): Promise<Answer | undefined> {
  const request = tenant.idempotency
  if (!request) return undefined
  const now = clock.now()
  const [row] = await run<{ fingerprint: string; answer: Answer | null; running: boolean }>(on, FIND, [
    tenant.id,
    request.key,
    cutoff(now),
  ])
  if (!row) return undefined
  if (row.fingerprint !== request.fingerprint) throw new AppError('idempotency_key_reused')
  if (row.answer !== null) {
    request.onReplay()
    return row.answer
  }
  if (row.running) throw new AppError('idempotency_in_progress')
  return undefined
}

/**
 * Runs a use case that calls other systems at most once per key: claims the key, runs, and lets `work` store the answer
 * in its own last transaction through `complete`. A failure gives the key back, as nothing was answered; a process that
 * dies in between loses it after four seconds, and the use case itself is safe to start again. A process that was
 * only slow has then lost the key: it neither frees nor answers it, as it is another request's.
 * @param work `fence` is for an effect that comes before the answer
 * @returns the answer of `work`, or the first answer of an earlier request with the same key
 * @throws idempotency_key_reused, idempotency_in_progress, and what `work` throws
 */
export function idempotently<Answer extends object>(
  deps: { pool: Queryable; clock: Clock },
  tenant: Tenant,
  work: (complete: (em: EntityManager, answer: Answer) => Promise<void>, fence: Fence) => Promise<Answer>,
): Promise<Answer> {
  return claimed(deps, tenant, (claim) => {
    if (!claim) return work(NOTHING_TO_DO, NOTHING_TO_DO)
    const { tenantId, key } = claim
    return work(async (em, answer) => {
      const completed = await executeIn(em, COMPLETE, [JSON.stringify(answer), tenantId, key, claim.claim])
      // Another request has the key: it does the work, so this one's change must not stay.
      if (completed.length === 0) throw new AppError('idempotency_in_progress')
    }, fenceOf(claim))
  })
}

const NOTHING_TO_DO = (): Promise<void> => Promise.resolve()

/** Runs `work` with the request's key claimed, if it has one; gives the first answer where the key has one. */
async function claimed<Answer extends object>(
  { pool, clock }: { pool: Queryable; clock: Clock },
  tenant: Tenant,
  work: (claim: Claim | undefined) => Promise<Answer>,
): Promise<Answer> {
  const request = tenant.idempotency
  if (!request) return work(undefined)
  const claim: Claim = { tenantId: tenant.id, key: request.key, claim: randomBytes(12).toString('hex') }
  const now = clock.now()
  const values = [tenant.id, request.key, request.fingerprint, now.toISOString(), cutoff(now), claim.claim]
  if ((await run(pool, CLAIM, values)).length === 0) {
    const answer = await firstAnswer<Answer>(pool, tenant, clock)
    if (answer !== undefined) return answer
    throw new AppError('idempotency_in_progress')
  }
  const letGo = keepClaim(pool, claim)
  try {
    return await work(claim)
  } catch (error) {
    // A key that cannot be given back lapses by itself, and why the work failed counts.
    await run(pool, RELEASE, [tenant.id, request.key, claim.claim]).catch(() => undefined)
    throw error
  } finally {
    letGo()
  }
}

const ANSWER = {
  name: 'idempotency_answer',
  text: `update kernel.idempotency_key set answer = $3::jsonb, leased_until = null
    where tenant_id = $1 and key = $2 and claim = $4 and answer is null returning 1 as answered`,
}

/**
 * As `idempotently`, for work that does not end in a transaction of ours: the answer is stored right after it. A
 * process that dies in between leaves the key without one, so the work has to come to the same end when it runs again. One
 * that has lost the key meanwhile answers what the next request has answered.
 */
export function idempotentlyAnswered<Answer extends object>(
  deps: { pool: Queryable; clock: Clock },
  tenant: Tenant,
  work: (fence: Fence) => Promise<Answer>,
): Promise<Answer> {
  return claimed<Answer>(deps, tenant, async (claim) => {
    if (!claim) return work(NOTHING_TO_DO)
    const answer = await work(fenceOf(claim))
    const values = [claim.tenantId, claim.key, JSON.stringify(answer), claim.claim]
    if ((await run(deps.pool, ANSWER, values)).length > 0) return answer
    return (await firstAnswer<Answer>(deps.pool, tenant, deps.clock)) ?? answer
  })
}

/** As `CLAIM`, for a transaction that writes the answer before it ends: no request ever sees the key without one. */
const CLAIM_IN_TRANSACTION = `insert into kernel.idempotency_key as taken (tenant_id, key, fingerprint, created_at)
  values (?, ?, ?, ?::timestamptz)
  on conflict (tenant_id, key) do update
    set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at,
      leased_until = null, claim = null
    where taken.created_at < ?::timestamptz
  returning 1 as claimed`

/**
 * Runs a use case that is one transaction at most once per key: the key is claimed first and answered last in that
 * transaction. A second request with the key waits on the unique index until the first has ended; then it answers the
 * same, or does the work itself where the first failed and left nothing behind.
 * @param work must use no connection but that of `em`: a waiting request holds one too, so the pool could run dry
 * @returns the answer of `work`, or (`replayed`) the first answer of an earlier request with the same key
 * @throws idempotency_key_reused, idempotency_in_progress, and what `work` throws
 */
export async function transactionOnce<Answer extends object>(
  deps: { db: Database; clock: Clock },
  tenant: Tenant,
  work: (em: EntityManager) => Promise<Answer>,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { db, clock } = deps
  const request = tenant.idempotency
  if (!request) return { answer: await inTransaction(db, work), replayed: false }
  const done = await inTransaction(db, async (em) => {
    const now = clock.now()
    const claim = [tenant.id, request.key, request.fingerprint, now.toISOString(), cutoff(now)]
    const claimed = await executeIn(em, CLAIM_IN_TRANSACTION, claim)
    if (claimed.length === 0) return undefined
    const answer = await work(em)
    await executeIn(em, COMPLETE, [JSON.stringify(answer), tenant.id, request.key, null])
    return answer
  })
  if (done) return { answer: done, replayed: false }
  // Only now, with the transaction's connection given back: 50 duplicates must not wait for a 51st connection.
  const first = await firstAnswer<Answer>(db.pool, tenant, clock)
  if (!first) throw new AppError('idempotency_in_progress')
  return { answer: first, replayed: true }
}

/** Removes the keys that no longer answer. */
export async function removeOldKeys(on: Queryable, clock: Clock): Promise<void> {
  const keys = { table: 'kernel.idempotency_key', where: 'created_at < $1::timestamptz' }
  await removeOldRows(on, keys, [cutoff(clock.now())])
}

function cutoff(now: Date): string {
  return new Date(now.getTime() - KEY_LIFE_MS).toISOString()
}
