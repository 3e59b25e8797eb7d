import pg from 'pg'
import { openDatabase } from '../../kernel/database.js'
import { createLog } from '../../kernel/log.js'
import { ledgerStore } from '../../subgraphs/payments/store/ledger.js'
import { PAYMENT_ENTITIES, PAYMENT_MIGRATIONS } from '../../subgraphs/payments/store/schema.js'
import { openWorkspace } from '../workspace.js'

/** Lines of one payment: two of its receipt, four of its conversion, two of its payout. */
const LINES_EACH = 8
const DAYS = 30
/** Payouts of one transaction. */
const BATCH = 10
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
  select tenant_id, payment_id, replace(entry, 'N', n::text), line, account, currency, debit, credit, at
  from (${PAYMENT}) as payment,
    (values ('receipt:eN', 0, 'provider:pix', 'BRL', 100, 0), ('receipt:eN', 1, 'tenant', 'BRL', 0, 100),
      ('conversion:eN', 0, 'tenant', 'BRL', 100, 0), ('conversion:eN', 1, 'treasury:exchange', 'BRL', 0, 100),
      ('conversion:eN', 2, 'treasury:exchange', 'USDT', 18.450185, 0), ('conversion:eN', 3, 'tenant', 'USDT', 0, 18.450185),
      ('payout:0', 0, 'tenant', 'USDT', 18.450185, 0), ('payout:0', 1, 'treasury:polygon', 'USDT', 0, 18.450185))
      as made (entry, line, account, currency, debit, credit)`

const PAYMENTS = `insert into payments.payment (tenant_id, id, status, sequence, executor_id, payment_method_allowed,
    split_payment_config, gateway_method, from_currency_symbol, amount_from, to_currency_symbol, amount_to, to_chain, on_ramp,
    transaction_type, charge_id, created_at, updated_at)
  select tenant_id, payment_id, 'success', 4, 'api_transaction', '{"pixcrypto":true}', '[{"receiverPercent":100}]', 'direct',
    'BRL', '100.00', 'USDT', '18.450185', 'polygon', false, 'pixcrypto', 'c' || n, at, at from (${PAYMENT}) as payment`

const CHARGES = `insert into payments.charge (tenant_id, id, payment_id, attempt, rail, reference, state, currency, amount,
    payer_masked, payer_hash, created_at, expires_at, watch_until, confirmed_at)
  select tenant_id, 'c' || n, payment_id, 1, 'pix', payment_id, 'paid', 'BRL', '100.00', '***', 'h', at, at, at, at
  from (${PAYMENT}) as payment`

const RECEIPTS = `insert into payments.receipt (tenant_id, rail, id, charge_id, payment_id, currency, amount, received_at,
    outcome, created_at)
  select tenant_id, 'pix', 'e' || n, 'c' || n, payment_id, 'BRL', '100', at, 'accepted', at from (${PAYMENT}) as payment`

const PAYOUTS = `insert into payments.payout (tenant_id, payment_id, leg, chain_name, symbol, receiver, amount, state, attempt,
    not_before, created_at, confirmed_at)
  select tenant_id, payment_id, 0, 'polygon', 'USDT', '0x', '18.450185', 'confirmed', 1, at, at, at
  from (${PAYMENT}) as payment`

const LEGS = `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome)
  select 'b' || n / ${BATCH}, n % ${BATCH}, tenant_id, payment_id, 0, 1, '18.450185', 'paid' from (${PAYMENT}) as payment`

const TRANSACTIONS = `insert into payments.treasury_transaction (chain_name, hash, account, version, nonce, raw, state, created_at,
    batch_id)
  select 'polygon', 'h' || n, '0x', 0, n / ${BATCH}, 'raw', 'confirmed', at, 'b' || n / ${BATCH}
  from (${PAYMENT}) as payment where n % ${BATCH} = 0 or n = 1`

/** Of one payment in twenty the provider's dashboard has given something back. */
const RETURNS = `insert into payments.receipt_return (tenant_id, rail, receipt_id, id, amount, status, forced, reason, created_at,
    origin, ended_at)
  select tenant_id, 'pix', 'e' || n, 'r' || n, '1', 'done', false, 'provider', at, 'provider', at
  from (${PAYMENT}) as payment where n % 20 = 0`

const RETURN_LINES = `insert into payments.ledger_line
  select tenant_id, payment_id, format('return:e%s:r%s', n, n), line, account, 'BRL', debit, credit, at
  from (${PAYMENT}) as payment,
    (values (0, 'tenant', 1, 0), (1, 'provider:pix', 0, 1)) as made (line, account, debit, credit) where n % 20 = 0`

const TABLES = [LINES, PAYMENTS, CHARGES, RECEIPTS, PAYOUTS, LEGS, TRANSACTIONS, RETURNS, RETURN_LINES]
const NAMES = [
  'ledger_line',
  'payment',
  'charge',
  'receipt',
  'payout',
  'batch_leg',
  'treasury_transaction',
  'receipt_return',
]

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
    console.log(`made in                   ${await timed(() => fill(workspace.databaseUrl, payments))} ms`)
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
    for (const statement of TABLES) await client.query(statement, values)
  }
  await client.query(`vacuum analyze ${NAMES.map((name) => `payments.${name}`).join(', ')}`)
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
