/** Since when the blocks of a chain cannot be read for what comes to payments' addresses; null while they can. */
export const addStuckCursors = ['alter table payments.address_cursor add column stuck_since timestamptz(3)']
