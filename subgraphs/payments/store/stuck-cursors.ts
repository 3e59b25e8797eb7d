import { run, type Database } from '../../../kernel/database.js'

const STICK = {
  name: 'address_cursor_stick',
  text: `update payments.address_cursor set stuck_since = coalesce(stuck_since, $2::timestamptz)
    where chain_name = $1 and scope = 'all' returning stuck_since as since`,
}

/** Chains whose blocks cannot be read; one that can moves its cursor, and is none any more. */
export function stuckCursors({ pool }: Database) {
  return {
    /** Writes down that a chain cannot be read now. @returns since when that is so; undefined where it was never read */
    stick: async (chainName: string, now: Date): Promise<Date | undefined> => {
      const [row] = await run<{ since: string | Date }>(pool, STICK, [chainName, now.toISOString()])
      return row && new Date(row.since)
    },
  }
}
