import { Client } from 'pg'

/** Transactions that have paid several, and whom they have paid, by chain. */
const BATCHES = `select chain_name, count(*)::int as batches, sum(legs)::int as legs from (
    select sent.chain_name, leg.batch_id, count(distinct leg.position) as legs from payments.batch_leg as leg
      join payments.treasury_transaction as sent on sent.batch_id = leg.batch_id
      where leg.outcome = 'paid' group by 1, 2 having count(distinct leg.position) > 1) as several
  group by 1 order by 1`

interface Batches {
  chain_name: string
  batches: number
  legs: number
}

/** One line that says how many of a world's payouts went together: seeds in which none did would show nothing of batches. */
export async function batchesLine(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl, application_name: 'chaos batches' })
  await client.connect()
  try {
    const { rows } = await client.query<Batches>(BATCHES)
    const told = rows.map(({ chain_name: chain, batches, legs }) => `${batches} on ${chain} for ${legs} payouts`)
    return `batches so far: ${told.join(', ') || 'none'}`
  } finally {
    await client.end()
  }
}
