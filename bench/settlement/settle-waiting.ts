import { setTimeout as delay } from 'node:timers/promises'
import { PublicKey } from '@solana/web3.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import { associatedTokenAddress } from '../../chains/solana/token.js'
import type { DemoChain } from '../../sandbox/demo/balances.js'
import { usdtOf } from '../../sandbox/demo/balances.js'
import { checkLedger } from './check-ledger.js'
import { announcePayouts, findTemplate, makePayouts, type MadePayout } from './made-payouts.js'
import { inParallel, type ProductHarness } from './product-harness.js'

/** How fast payouts leave that wait together, and what they cost. */
export interface WaitingFigures {
  payouts: number
  transactions: number
  payoutsPerSecond: number
  /** RPC calls for each payout, each of a batch of calls, by the product's own count. */
  rpcCalls: number
  cpuMs: number
  residentMb: number
}

const TIMEOUT_MS = 600_000
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
  let residentMb = 0
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(
      `select count(*)::int as left from payments.payment where id = any($1) and status <> 'success'`,
      [ids],
    )
    residentMb = Math.max(residentMb, await product.residentMb())
    if (rows[0]?.left === 0) break
    if (performance.now() - startedMs > TIMEOUT_MS)
      throw new Error(`${rows[0]?.left} of ${count} were not paid in time`)
    await delay(200)
  }
  const elapsedMs = performance.now() - startedMs
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
    payoutsPerSecond: (count * 1000) / elapsedMs,
    rpcCalls: rpcCalls / count,
    cpuMs,
    residentMb,
  }
}

const CALLS = `select coalesce(sum(calls), 0)::int as calls from kernel.provider_minute where provider = 'chain' and chain = $1`

/** The calls of a chain's nodes so far. The product writes down what it has counted when a minute is over. */
async function countCalls(pool: ProductHarness['pool'], chain: DemoChain): Promise<number> {
  await delay(MINUTE_MS - (Date.now() % MINUTE_MS) + WRITTEN_WITHIN_MS)
  const { rows } = await pool.query<{ calls: number }>(CALLS, [chain])
  return rows[0]?.calls ?? 0
}

async function checkPaid(
  { sandbox, pool }: ProductHarness,
  chain: DemoChain,
  made: readonly MadePayout[],
): Promise<void> {
  const { rows } = await pool.query<{ id: string; units: string }>(
    `select payment_id as id, trunc(amount::numeric * 1000000)::text as units from payments.payout where payment_id = any($1)`,
    [made.map(({ id }) => id)],
  )
  const owed = new Map(rows.map(({ id, units }) => [id, BigInt(units)]))
  const parts = Array.from({ length: Math.ceil(made.length / CHECKED_AT_ONCE) }, (_, index) =>
    made.slice(index * CHECKED_AT_ONCE, (index + 1) * CHECKED_AT_ONCE),
  )
  await inParallel(parts, 4, async (some) => {
    const held = await heldBy(sandbox, chain, some.map(({ receiver }) => receiver)) // prettier-ignore
    for (const [index, { id }] of some.entries()) {
      if (held[index] !== owed.get(id))
        throw new Error(`the receiver of ${id} holds ${held[index]} instead of ${owed.get(id)}`)
    }
  })
}

/** A node of Solana answers about so many accounts at once. */
const CHECKED_AT_ONCE = 100

/** What addresses hold of USDT, in base units. On Solana by the accounts' addresses: to look for an owner's reads all accounts. */
async function heldBy(
  sandbox: ProductHarness['sandbox'],
  chain: DemoChain,
  owners: readonly string[],
): Promise<bigint[]> {
  if (chain === 'polygon') return Promise.all(owners.map((owner) => usdtOf(sandbox, chain, owner)))
  const { rpc_url: rpcUrl, tokens } = sandbox.chains.solana
  const mint = new PublicKey(tokens.USDT.mint)
  const accounts = owners.map((owner) => associatedTokenAddress(new PublicKey(owner), mint).toBase58())
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const { value } = (await createSolanaClient({ rpcUrl, commitment: 'confirmed' }).call('getMultipleAccounts', [
    accounts,
    config,
  ])) as { value: readonly ({ data: readonly [string, string] } | null)[] }
  // A token account's amount is the u64 at offset 64 (SPL Token, state.rs).
  return value.map((account) => (account ? Buffer.from(account.data[0], 'base64').readBigUInt64LE(64) : 0n))
}
