import { run, type Database } from '../../../kernel/database.js'

/** The first that asks says since when. */
const NOTE = {
  name: 'unread_chain_note',
  text: `insert into payments.unread_chain as noted (chain_name, since) values ($1, $2::timestamptz)
    on conflict (chain_name) do update set since = noted.since returning since`,
}

const FORGET = {
  name: 'unread_chain_forget',
  text: 'delete from payments.unread_chain where chain_name = $1',
}

const FORGET_OTHERS = {
  name: 'unread_chain_forget_others',
  text: 'delete from payments.unread_chain where chain_name <> all($1::text[])',
}

/** Chains whose blocks are to be read for what comes to payments' addresses, and were not read up to the newest since then. */
export function unreadChains({ pool }: Database) {
  return {
    /** Writes down that a chain is to be read. @returns since when it was not */
    noteUnread: async (chainName: string, now: Date): Promise<Date> => {
      const [row] = await run<{ since: string | Date }>(pool, NOTE, [chainName, now.toISOString()])
      return row ? new Date(row.since) : now
    },
    /** Writes down that a chain was read. */
    noteRead: async (chainName: string): Promise<void> => {
      await run(pool, FORGET, [chainName])
    },
    /** Forgets all chains but these: nobody looks whether the others can be read. */
    forgetUnwatched: async (watched: readonly string[]): Promise<void> => {
      await run(pool, FORGET_OTHERS, [watched])
    },
  }
}
