import type { HeldLock } from '../../kernel/advisory-lock.js'
import type { EvmChain } from '../chain.js'
import type { EvmClient } from '../evm/client.js'
import { ask } from '../evm/rpc.js'
import type { Signer } from '../evm/signer.js'
import type { CoinWaits } from './coin-waits.js'

/** A transaction of an account of ours, as it is written down. */
export interface AccountTransaction {
  nonce: number
  /** What it is for; one open transaction at a time. */
  purpose: string
  hash: string
  /** Of the versions that this one has replaced, the oldest first: one of them may land in its place. */
  earlierHashes: string[]
  raw: string
  /** `stored` until the chain has used its nonce up, then `final`. */
  state: 'stored' | 'final'
  /** Of its newest version. */
  createdAt: Date
}

/** What signs a version of a transaction leaves. */
type Version = Pick<AccountTransaction, 'purpose' | 'hash' | 'raw' | 'createdAt'>

/** Where an account's transactions on one chain are written down. */
export interface AccountRows {
  /** Those in no block yet as far as is known, by nonce. */
  findOpen: () => Promise<AccountTransaction[]>
  /** Throws where an open one has the same purpose or nonce. */
  add: (transaction: Version & { nonce: number }) => Promise<AccountTransaction>
  /** Writes another version of an open one down, of the same nonce. Throws where the row is over, or has another version by now. */
  replace: (row: AccountTransaction, version: Version) => Promise<AccountTransaction>
  /** Writes down that the chain has used its nonce up; whether it still has is looked at from `at` on. What is final stays as it is. */
  markFinal: (row: AccountTransaction, at: Date) => Promise<void>
  /** The nonce after the highest that was ever written down; 0 at first. */
  nextNonce: () => Promise<number>
  /** All that the chain may still drop or has not taken, from this nonce on; by nonce. */
  findFrom: (nonce: number, limit: number) => Promise<AccountTransaction[]>
  /** Those below this nonce that are looked at still, by nonce. */
  findBelow: (nonce: number, limit: number) => Promise<AccountTransaction[]>
}

/** An account of ours on an EVM chain, of which the chain takes one transaction a nonce, in their order. */
export interface EvmAccount {
  client: EvmClient
  chain: EvmChain
  signer: Signer
  rows: AccountRows
  /** What one transaction may use of gas. */
  gasMax: bigint
  now: () => Date
  /**
   * Runs work while nobody else signs for the account on the chain, and before that, beside others, what prepares it; undefined, without
   * running the work, where somebody does, and without preparing it where too many want to.
   */
  exclusively: <Prepared, T>(
    prepare: () => Promise<Prepared>,
    work: (lock: HeldLock, prepared: Prepared) => Promise<T>,
  ) => Promise<{ result: T } | undefined>
  /** Tells people what keeps a transaction from being mined. */
  tellStuck: (details: string) => Promise<void>
  /** Which calls wait until others are mined: of a process, for as long as it lives. */
  waits: CoinWaits
}

/** How many nonces of the account the chain has used up, now or at a block. Throws AppError confirm_rpc_unavailable. */
export function countUsed(
  { client, signer: { address } }: Pick<EvmAccount, 'client' | 'signer'>,
  blockNumber?: bigint,
): Promise<number> {
  const at = blockNumber === undefined ? { blockTag: 'latest' as const } : { blockNumber }
  return ask('confirm', () => client.getTransactionCount({ address, ...at }))
}

/** Marks those whose nonces the chain has used up, and gives the others. */
export async function closeMined(
  { rows, now }: Pick<EvmAccount, 'rows' | 'now'>,
  open: readonly AccountTransaction[],
  used: number,
): Promise<AccountTransaction[]> {
  for (const row of open) if (row.nonce < used) await rows.markFinal(row, now())
  return open.filter(({ nonce }) => nonce >= used)
}

/** What was written down so recently was sent just now; whether it has got around is not asked yet. */
const YOUNG_MS = 5_000

/** Whether a transaction was sent just now, and nothing is to be done for it yet. */
export function isYoung({ now }: Pick<EvmAccount, 'now'>, { createdAt }: AccountTransaction): boolean {
  const ageMs = now().getTime() - createdAt.getTime()
  // A clock that was ahead must not make one young for hours.
  return ageMs >= 0 && ageMs < YOUNG_MS
}
