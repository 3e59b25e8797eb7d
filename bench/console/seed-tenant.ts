import type { Pool } from 'pg'
import { idSource } from '../../kernel/ids.js'

const CHUNK = 20_000
const MS_APART = 60_000

/** What a search can find of the payment at a place. */
export const seededText = {
  email: (place: number): string => `payer${place}@example.com`,
  invoice: (place: number): string => `invoice ${place}`,
  txid: (place: number): string => `txid${String(place).padStart(22, '0')}`,
  wallet: `'0x' || left(md5('wallet' || place) || md5(place::text), 40)`,
  hash: `'0x' || md5('hash' || place) || md5(place::text)`,
}

/** Copies of one payment, each with texts of its own; every fifth was paid by a wallet, the others by Pix. */
const PAYMENTS = `insert into payments.payment
  select written.* from unnest($2::text[], $3::int[], $4::timestamptz[]) as seeded (id, place, at),
    lateral (select place % 5 = 0 as by_wallet) as paid,
    payments.payment as model,
    lateral jsonb_populate_record(model, jsonb_build_object('id', seeded.id, 'created_at', at, 'updated_at', at,
      'status', (array['success', 'success', 'success', 'registered', 'error'])[place % 5 + 1],
      'transaction_type', case when by_wallet then 'crypto' else 'pixcrypto' end,
      'amount_from', (place % 500 + 1) || '.5', 'payer_email', 'payer' || place || '@example.com',
      'payer_wallet', case when by_wallet then ${seededText.wallet} end,
      'tid_hash', case when by_wallet then ${seededText.hash} end,
      'metadata', jsonb_build_object('invoice', 'invoice ' || place))) as written
  where model.id = $1`

const CHARGES = `insert into payments.charge (tenant_id, id, payment_id, attempt, rail, reference, state, currency, amount,
    payer_masked, payer_hash, created_at, expires_at, watch_until)
  select model.tenant_id, 'h' || seeded.id, seeded.id, 1, 'pix', 'txid' || lpad(place::text, 22, '0'), 'closed', 'BRL', '1',
    '', '', at, at, at
  from unnest($2::text[], $3::int[], $4::timestamptz[]) as seeded (id, place, at), payments.payment as model
  where model.id = $1 and place % 5 <> 0`

/**
 * Gives the tenant of a payment many more, older and a minute apart.
 * @param model the id of the payment of which they are copies
 * @returns their ids, newest first: the one at place 0 is at index 0
 */
export async function seedTenant(pool: Pool, model: string, count: number): Promise<string[]> {
  const nowMs = Date.now()
  const ids: string[] = []
  while (ids.length < count) {
    const from = ids.length
    const places = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => from + index)
    const times = places.map((place) => new Date(nowMs - (place + 1) * MS_APART))
    const made = times.map((time) => idSource(() => time)())
    const values = [model, made, places, times.map((time) => time.toISOString())]
    for (const statement of [PAYMENTS, CHARGES]) await pool.query(statement, values)
    ids.push(...made)
  }
  await pool.query('vacuum analyze payments.payment, payments.charge, payments.payment_term')
  return ids
}
