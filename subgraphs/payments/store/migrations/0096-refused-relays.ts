/** Since when what a split's address holds cannot be shared out again: one refusal calls nobody, and the row remembers the first. */
export const addRefusedSince = ['alter table payments.relay add column refused_since timestamptz(3)']
