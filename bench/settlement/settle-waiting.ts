import { setTimeout as delay } from 'node:timers/promises'
import type { DemoChain } from '../../sandbox/demo/balances.js'
import { checkLedger } from './check-ledger.js'
import { heldByReceivers } from './held-by-receivers.js'
import { announcePayouts, findTemplate, makePayouts, type MadePayout } from './made-payouts.js'
import type { ProductHarness } from './product-harness.js'

/** How fast payouts leave that wait together, and what they cost. */
export interface WaitingFigures {
  payouts: number
  transactions: number
  /** From the moment at which they may leave until the last has its confirmations. */
  payoutsPerSecond: number
  /** Between the first that had its confirmations and the last: without the time until anything can have them. */
  sustainedPerSecond: number
  /** RPC calls for each payout, each of a batch of calls, by the product's own count. */
  rpcCalls: number
  cpuMs: number
  residentMb: number
}

const TIMEOUT_MS = 600_000
/** How often what is left is counted, which costs the database as many look-ups as there are payouts. */
const COUNTED_EVERY_MS = 500
const MINUTE_MS = 60_000
/** After its minute is over the product's count is in the database within this. */
const WRITTEN_WITHIN_MS = 5_000

/**
 * Lets many payouts wait, as if their charges had just been confirmed, then has the treasury pay them.
 * @param areCallsCounted takes up to two minutes more
 * @throws Error where a receiver holds anything but what he is owed, or the ledger does not agree
 */
export async function settleWaiting(
  harness: ProductHarness,
  chain: DemoChain,
  count: number,
  areCallsCounted = true,
): Promise<WaitingFigures> {
  const template = await findTemplate(harness, chain)
  const made = await makePayouts(harness, chain, { template, count })
  const { pool, product, sandbox } = harness
  const callsBefore = areCallsCounted ? await countCalls(pool, chain) : NaN
  const cpuMsBefore = await product.cpuMs()
  const startedMs = performance.now()
  await announcePayouts(harness, chain)
  const ids = made.map(({ id }) => id)
  const { first, endedMs, residentMb } = await watchUntilPaid(harness, ids, startedMs)
  const cpuMs = ((await product.cpuMs()) - cpuMsBefore) / count
  const rpcCalls = areCallsCounted ? (await countCalls(pool, chain)) - callsBefore : NaN
  await checkPaid(harness, chain, made)
  const { rows } = await pool.query<{ count: number }>(
    `select count(distinct batch_id)::int as count from payments.batch_leg where payment_id = any($1)`,
    [ids],
  )
  await checkLedger(sandbox.database_url)
  return {
    payouts: count,
    transactions: rows[0]?.count ?? 0,
    payoutsPerSecond: (count * 1000) / (endedMs - startedMs),
    sustainedPerSecond: ((count - first.paid) * 1000) / (endedMs - first.atMs),
    rpcCalls: rpcCalls / count,
    cpuMs,
    residentMb,
  }
}

/** Counts what is not paid yet until all is. */
async function watchUntilPaid(
  { pool, product }: ProductHarness,
  ids: readonly string[],
  startedMs: number,
): Promise<{ first: { paid: number; atMs: number }; endedMs: number; residentMb: number }> {
  let residentMb = 0
  let first: { paid: number; atMs: number } | undefined
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(
      `select count(*)::int as left from payments.payment where id = any($1) and status <> 'success'`,
      [ids],
    )
    residentMb = Math.max(residentMb, await product.residentMb())
    const left = rows[0]?.left ?? ids.length
    const nowMs = performance.now()
    if (left < ids.length) first ??= { paid: ids.length - left, atMs: nowMs }
    if (first && left === 0) return { first, endedMs: nowMs, residentMb }
    if (nowMs - startedMs > TIMEOUT_MS) throw new Error(`${left} of ${ids.length} were not paid in time`)
    await delay(COUNTED_EVERY_MS)
  }
}

const CALLS = `select coalesce(sum(calls), 0)::int as calls from kernel.provider_minute where provider = 'chain' and chain = $1`

/** The calls of a chain's nodes so far. The product writes down what it has counted when a minute is over. */
async function countCalls(pool: ProductHarness['pool'], chain: DemoChain): Promise<number> {
  await delay(MINUTE_MS - (Date.now() % MINUTE_MS) + WRITTEN_WITHIN_MS)
  const { rows } = await pool.query<{ calls: number }>(CALLS, [chain])
  return rows[0]?.calls ?? 0
}

async function checkPaid(harness: ProductHarness, chain: DemoChain, made: readonly MadePayout[]): Promise<void> {
  const { rows } = await harness.pool.query<{ id: string; units: string }>(
    `select payment_id as id, trunc(amount::numeric * 1000000)::text as units from payments.payout where payment_id = any($1)`,
    [made.map(({ id }) => id)],
  )
  const owed = new Map(rows.map(({ id, units }) => [id, BigInt(units)]))
  const held = await heldByReceivers(
    harness,
    chain,
    made.map(({ receiver }) => receiver),
  )
  for (const [index, { id }] of made.entries()) {
    if (held[index] !== owed.get(id))
      throw new Error(`the receiver of ${id} holds ${held[index]} instead of ${owed.get(id)}`)
  }
}
