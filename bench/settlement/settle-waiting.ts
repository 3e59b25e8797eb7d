import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { DemoChain } from '../../sandbox/demo/balances.js'
import { usdtOf } from '../../sandbox/demo/balances.js'
import { ledgerCli } from '../../subgraphs/payments/cli/ledger-cli.js'
import { inParallel, type ProductHarness } from './product-harness.js'
import { newAddress } from './settle-charges.js'

/** How fast payouts leave that wait together, and what they cost. */
export interface WaitingFigures {
  payouts: number
  transactions: number
  payoutsPerSecond: number
  cpuMs: number
  residentMb: number
}

const TIMEOUT_MS = 600_000

/** The settled payment that all others are made like, and what of it is as before it was settled. */
const TEMPLATE = `select id, charge_id as "chargeId" from payments.payment where status = 'success' and to_chain = $1
  and charge_id is not null limit 1`

/** Rows like the template's with other ids: every column that is not named stays. */
const copiesOf = (table: string, changes: string, where: string): string =>
  `insert into payments.${table} select (jsonb_populate_record(null::payments.${table}, to_jsonb(old) || ${changes})).*
    from payments.${table} as old, json_to_recordset($1::json) as made (id text, charge text, receiver text) where ${where}`

const COPIES = [
  copiesOf(
    'payment',
    `jsonb_build_object('id', made.id, 'charge_id', made.charge, 'status', 'pending', 'tid_hash', null,
      'split_payment_config', jsonb_build_array(jsonb_build_object('receiverWallet', made.receiver, 'receiverPercent', 100)))`,
    'old.id = $2',
  ),
  copiesOf(
    'charge',
    `jsonb_build_object('id', made.charge, 'payment_id', made.id, 'reference', made.charge)`,
    'old.payment_id = $2',
  ),
  copiesOf(
    'receipt',
    `jsonb_build_object('id', made.charge, 'payment_id', made.id, 'charge_id', made.charge)`,
    'old.payment_id = $2',
  ),
  copiesOf(
    'payout',
    `jsonb_build_object('payment_id', made.id, 'receiver', made.receiver, 'state', 'waiting', 'attempt', 0, 'hash', null,
      'confirmed_at', null)`,
    'old.payment_id = $2',
  ),
  copiesOf(
    'ledger_line',
    `jsonb_build_object('payment_id', made.id, 'entry', split_part(old.entry, ':', 1) || ':' || made.charge)`,
    `old.payment_id = $2 and (old.entry like 'receipt:%' or old.entry like 'conversion:%')`,
  ),
]

/**
 * Lets many payouts wait, as if their charges had just been confirmed, then has the treasury pay them.
 * @throws Error where a receiver holds anything but what he is owed, or the ledger does not agree
 */
export async function settleWaiting(world: ProductHarness, chain: DemoChain, count: number): Promise<WaitingFigures> {
  const { pool, product, sandbox } = world
  const [template] = (await pool.query<{ id: string }>(TEMPLATE, [chain])).rows
  if (!template) throw new Error('no payment was settled before')
  const made = Array.from({ length: count }, () => ({ id: newId(), charge: newId(), receiver: newAddress(chain) }))
  for (let start = 0; start < count; start += 1_000) {
    const some = JSON.stringify(made.slice(start, start + 1_000))
    for (const copies of COPIES) await pool.query(copies, [some, template.id])
  }
  const cpuMsBefore = await product.cpuMs()
  const startedMs = performance.now()
  await pool.query(`select graphile_worker.add_job('settle-chain', json_build_object('chainName', $1::text))`, [chain])
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
  await checkPaid(world, chain, made)
  const { rows } = await pool.query<{ count: number }>(
    `select count(distinct batch_id)::int as count from payments.batch_leg where payment_id = any($1)`,
    [ids],
  )
  await checkLedger(sandbox.database_url)
  return {
    payouts: count,
    transactions: rows[0]?.count ?? 0,
    payoutsPerSecond: (count * 1000) / elapsedMs,
    cpuMs,
    residentMb,
  }
}

/** An id as the product makes them. */
function newId(): string {
  return `c${BigInt(`0x${randomBytes(20).toString('hex')}`)
    .toString(36)
    .padStart(24, '0')
    .slice(-24)}`
}

async function checkPaid(
  { sandbox, pool }: ProductHarness,
  chain: DemoChain,
  made: readonly { id: string; receiver: string }[],
): Promise<void> {
  const { rows } = await pool.query<{ id: string; units: string }>(
    `select payment_id as id, trunc(amount::numeric * 1000000)::text as units from payments.payout where payment_id = any($1)`,
    [made.map(({ id }) => id)],
  )
  const owed = new Map(rows.map(({ id, units }) => [id, BigInt(units)]))
  await inParallel(made, 16, async ({ id, receiver }) => {
    const held = await usdtOf(sandbox, chain, receiver)
    if (held !== owed.get(id)) throw new Error(`the receiver of ${id} holds ${held} instead of ${owed.get(id)}`)
  })
}

async function checkLedger(databaseUrl: string): Promise<void> {
  const lines: string[] = []
  const print = (line: string): number => lines.push(line)
  const code = await ledgerCli(['check'], { out: print, err: print }, { databaseUrl, dataDir: '' })
  if (code !== 0) throw new Error(`the ledger does not agree: ${lines.join('\n').slice(0, 2_000)}`)
}
