import { randomBytes } from 'node:crypto'
import type { DemoChain } from '../../sandbox/demo/balances.js'
import type { ProductHarness } from './product-harness.js'
import { newAddress } from './settle-charges.js'

/** A payment that waits for its payout, as if its charge had just been confirmed. */
export interface MadePayout {
  id: string
  charge: string
  receiver: string
}

/** The settled payment that all others are made like, and what of it is as before it was settled. */
const TEMPLATE = `select id, charge_id as "chargeId" from payments.payment where status = 'success' and to_chain = $1
  and charge_id is not null limit 1`

/** Rows like the template's with other ids: every column that is not named stays. The template's are read once, each row is made once. */
const copiesOf = (table: string, changes: string, where: string): string =>
  `insert into payments.${table} with old as materialized (select * from payments.${table} as old where ${where})
    select filled.* from old, json_to_recordset($1::json) as made (id text, charge text, receiver text),
      jsonb_populate_record(null::payments.${table}, to_jsonb(old) || ${changes}) as filled`

const COPIES = [
  copiesOf(
    'payment',
    `jsonb_build_object('id', made.id, 'charge_id', made.charge, 'status', 'pending', 'tid_hash', null,
      'sequence', 0, 'webhook_url', null,
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

/** So many are written by one statement. */
const AT_ONCE = 1_000

/** Finds the payment that others are made like. @throws Error where none was settled before */
export async function findTemplate({ pool }: ProductHarness, chain: DemoChain): Promise<string> {
  const [template] = (await pool.query<{ id: string }>(TEMPLATE, [chain])).rows
  if (!template) throw new Error('no payment was settled before')
  return template.id
}

/** Writes payments down whose payouts wait, without their history so far. No webhook tells of them: those have cases of their own. */
export async function makePayouts(
  { pool }: ProductHarness,
  chain: DemoChain,
  { template, count }: { template: string; count: number },
): Promise<MadePayout[]> {
  const made = Array.from({ length: count }, () => ({ id: newId(), charge: newId(), receiver: newAddress(chain) }))
  for (let start = 0; start < count; start += AT_ONCE) {
    const some = JSON.stringify(made.slice(start, start + AT_ONCE))
    for (const copies of COPIES) await pool.query(copies, [some, template])
  }
  return made
}

/** Has a chain's payouts brought on, as the confirmation of a charge does. */
export async function announcePayouts({ pool }: ProductHarness, chain: DemoChain): Promise<void> {
  const job = `select graphile_worker.add_job('settle-chain', json_build_object('chainName', $1::text),
    job_key := 'settle-chain:' || $1 || ':0', priority := -10)`
  await pool.query(job, [chain])
}

/** An id as the product makes them. */
function newId(): string {
  return `c${BigInt(`0x${randomBytes(20).toString('hex')}`)
    .toString(36)
    .padStart(24, '0')
    .slice(-24)}`
}
