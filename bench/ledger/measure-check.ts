import pg from 'pg'
import { openDatabase } from '../../kernel/database.js'
import { createLog } from '../../kernel/log.js'
import { ledgerStore } from '../../subgraphs/payments/store/ledger.js'
import { PAYMENT_ENTITIES, PAYMENT_MIGRATIONS } from '../../subgraphs/payments/store/schema.js'
import { openWorkspace } from '../workspace.js'

/** Lines of one payment: two of its receipt, four of its conversion, two of its payout. */
const LINES_EACH = 8
const DAYS = 30
/** The part of the payments that came after the last close. */
const OPEN_SHARE = 0.002
const NO_LIMIT = { statementMs: 3_600_000, answerMs: 3_600_000 }

/** Everything before this is closed; the made-up payments end a day later. */
const CLOSED_TO = new Date('2026-01-31T00:00:00Z')

const PAYMENT = `select n, 't' || n % 1000 as tenant_id, 'p' || n as payment_id,
    timestamptz '2026-01-01' + case when n <= $1::int * (1 - ${OPEN_SHARE}) then n * interval '${DAYS} days' / $1::int
      else interval '${DAYS} days' + (n - $1::int * (1 - ${OPEN_SHARE})) * interval '1 second' end as at
  from generate_series($2::int, $3::int) as n`

const LINES = `insert into payments.ledger_line
  select tenant_id, payment_id, entry || n, line, account, currency, debit, credit, at from (${PAYMENT}) as payment,
    (values ('receipt:e', 0, 'provider:pix', 'BRL', 100, 0), ('receipt:e', 1, 'tenant', 'BRL', 0, 100),
      ('conversion:e', 0, 'tenant', 'BRL', 100, 0), ('conversion:e', 1, 'treasury:exchange', 'BRL', 0, 100),
      ('conversion:e', 2, 'treasury:exchange', 'USDT', 18.450185, 0), ('conversion:e', 3, 'tenant', 'USDT', 0, 18.450185),
      ('payout:', 0, 'tenant', 'USDT', 18.450185, 0), ('payout:', 1, 'treasury:polygon', 'USDT', 0, 18.450185))
      as made (entry, line, account, currency, debit, credit)`

const RECEIPTS = `insert into payments.receipt (tenant_id, rail, id, charge_id, payment_id, currency, amount, received_at,
    outcome, created_at)
  select tenant_id, 'pix', 'e' || n, 'c' || n, payment_id, 'BRL', '100', at, 'accepted', at from (${PAYMENT}) as payment`

const PAYOUTS = `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, state, attempt,
    not_before, created_at, confirmed_at)
  select tenant_id, payment_id, n, 'polygon', 'USDT', '0x', '18.450185', 'confirmed', 1, at, at, at
  from (${PAYMENT}) as payment`

const CHUNK = 50_000

/**
 * Measures `ledger -- check` on a ledger of made-up payments before and after a close, and prints it.
 * @param lines how many lines the ledger has, about
 */
export async function measureCheck(lines: number): Promise<void> {
  const workspace = await openWorkspace()
  const options = { url: workspace.databaseUrl, schema: 'payments', poolSize: 2, log: createLog('silent') }
  const schema = { entities: PAYMENT_ENTITIES, migrations: PAYMENT_MIGRATIONS }
  const db = await openDatabase({ ...options, ...schema, timeouts: NO_LIMIT })
  try {
    const payments = Math.round(lines / LINES_EACH)
    await fill(workspace.databaseUrl, payments)
    const ledger = ledgerStore(db)
    const check = () => timed(async () => assertNone(await ledger.findDiscrepancies()))
    const balances = () => timed(() => ledger.balances())
    console.log(`${payments * LINES_EACH} lines`)
    console.log(`check before a close      ${await check()} ms`)
    console.log(`balances before a close   ${await balances()} ms`)
    console.log(`close of ${DAYS} days          ${await timed(() => ledger.close(CLOSED_TO))} ms`)
    console.log(`check after a close       ${await check()} ms, then ${await check()} ms`)
    console.log(`balances after a close    ${await balances()} ms`)
    console.log(`check of everything       ${await timed(() => ledger.findDiscrepancies({ isAll: true }))} ms`)
  } finally {
    await db.close()
    await workspace.close()
  }
}

async function fill(url: string, payments: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Without the triggers: what is written balances.
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  for (let from = 1; from <= payments; from += CHUNK) {
    const values = [payments, from, Math.min(from + CHUNK - 1, payments)]
    for (const statement of [LINES, RECEIPTS, PAYOUTS]) await client.query(statement, values)
  }
  await client.query('vacuum analyze payments.ledger_line, payments.receipt, payments.payout')
  await client.end()
}

function assertNone(found: readonly string[]): void {
  if (found.length > 0) throw new Error(`the made-up ledger is wrong: ${found.slice(0, 3).join('; ')}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round(performance.now() - start)
}
