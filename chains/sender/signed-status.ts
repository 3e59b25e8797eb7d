/**
 * Where a transaction stands that somebody else has signed: its bytes can be sent again, and nothing of it can be changed.
 * `unknown`: no node shows it, and it may land still; `waiting`: for a block, or for more of them; `landed`: it did what it says;
 * `failed`: it never will, as far as the chain's own count of blocks goes.
 */
export type SignedStatus<Landed extends object> =
  | { kind: 'unknown' | 'waiting' }
  | ({ kind: 'landed'; hash: string } & Landed)
  | { kind: 'failed'; code: 'transaction_reverted' | 'transaction_dropped'; message: string }
