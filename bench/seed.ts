import type { Pool } from 'pg'
import { idSource } from '../kernel/ids.js'

/** How many payments there are before anything is measured. */
const PAYMENTS = 20_000

/** Half of them are as registered, half are paid. */
const INSERT = `insert into payments.payment (tenant_id, id, status, sequence, executor_id, public_client_id, webhook_url,
    payment_method_allowed, split_payment_config, gateway_method, from_currency_symbol, amount_from, to_currency_symbol,
    amount_to, to_chain, on_ramp, transaction_type, payer_wallet, payer_token_symbol, chain_name, unsigned_transaction,
    signed_transaction, tid_hash, metadata, order_code, created_at, updated_at)
  select $1, id, case when paid then 'success' else 'registered' end, 1, 'api_transaction', $2, 'https://example.com/hook',
    '{"crypto": true, "pixcrypto": false, "cardcrypto": false, "cardfiat": false, "cryptofiat": false, "cryptopix": false}',
    jsonb_build_array(jsonb_build_object('receiverWallet', $3::text, 'receiverPercent', 70),
      jsonb_build_object('receiverWallet', $4::text, 'receiverPercent', 30)),
    'direct', 'USD', (10 + place % 90) || '.50', 'USDT', case when paid then (10 + place % 90) || '.5' end, 'polygon', false,
    case when paid then 'crypto' end, case when paid then $3 end, case when paid then 'USDT' end,
    case when paid then 'polygon' end,
    case when paid then jsonb_build_object('schemaVersion', 1, 'family', 'evm', 'chainName', 'polygon',
      'transactionRequest', jsonb_build_object('to', $4::text, 'from', $3::text, 'data', '0xa9059cbb' || repeat('0', 128),
        'nonce', place, 'value', '0', 'chainId', 31337, 'gasLimit', '100000', 'maxFeePerGas', '30000000000',
        'maxPriorityFeePerGas', '1000000000'), 'meta', jsonb_build_object('source', 'evm_transfer')) end,
    case when paid then '0x' || repeat('ab', 120) end, case when paid then '0x' || md5(id) || md5(id) end,
    jsonb_build_object('cart', place), ($7::text[])[1 + place % cardinality($7::text[])], at, at
  from (select id, place, place % 2 = 0 as paid, $6::timestamptz + place * interval '1 second' as at
    from unnest($5::text[]) with ordinality as seeded (id, place)) as seeded`

/**
 * Fills the payments of a tenant.
 * @param tenant.orders of which they are, in turn; of none where left out
 * @returns their ids, oldest first
 */
export async function seedPayments(
  pool: Pool,
  tenant: { id: string; publicClientId: string; receivers: readonly string[]; orders?: readonly string[] },
): Promise<string[]> {
  // A day ago and one second apart: whatever is registered while measuring has a later id.
  const startMs = Date.now() - 86_400_000
  const ids = Array.from({ length: PAYMENTS }, (_, place) => idSource(() => new Date(startMs + place * 1000))())
  const [first = '', second = ''] = tenant.receivers
  const begin = new Date(startMs).toISOString()
  await pool.query(INSERT, [tenant.id, tenant.publicClientId, first, second, ids, begin, tenant.orders ?? [null]])
  await pool.query('vacuum analyze')
  return ids
}

/** How many rows of each kind a load left behind. */
export interface Registered {
  payments: number
  events: number
  keys: number
}

/** Counts what was registered after the seed. */
export async function countRegistered(pool: Pool, lastSeeded: string): Promise<Registered> {
  const { rows } = await pool.query<Registered>(
    `select (select count(*)::int from payments.payment where id > $1) as payments,
      (select count(*)::int from payments.payment_event where payment_id > $1) as events,
      (select count(*)::int from kernel.idempotency_key) as keys`,
    [lastSeeded],
  )
  return rows[0] ?? { payments: 0, events: 0, keys: 0 }
}

/** Removes what was registered after the seed: the next target finds what this one found. */
export async function removeRegistered(pool: Pool, lastSeeded: string): Promise<void> {
  await pool.query('delete from payments.payment where id > $1', [lastSeeded])
  await pool.query('delete from payments.payment_event where payment_id > $1', [lastSeeded])
  await pool.query('truncate kernel.idempotency_key, graphile_worker._private_jobs')
  await pool.query('vacuum analyze payments.payment, payments.payment_event')
  await pool.query('checkpoint')
}
