/**
 * Since when the blocks of a chain cannot be read for what comes to payments' addresses; no row while they can. In place of
 * `address_cursor.stuck_since`, which a chain that was never read has no row for.
 */
export const keepUnreadChains = [
  'create table payments.unread_chain (chain_name text primary key, since timestamptz(3) not null)',
  `insert into payments.unread_chain (chain_name, since) select chain_name, stuck_since
      from payments.address_cursor where scope = 'all' and stuck_since is not null`,
]
