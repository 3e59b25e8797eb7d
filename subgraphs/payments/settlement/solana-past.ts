import { usedUpNonces } from '../../../chains/solana/replace.js'
import type { ForeignTransfer, PreparedBatch, WantedPayouts } from './payout-chain.js'
import type { FirstSeen, Nonces } from './solana-nonces.js'

/**
 * What a process knows of what the treasury had sent on a chain before it looked: the database may have been restored from a
 * backup. It signs for no payout until nothing that it does not know can land any more, and all that landed is read.
 */
export interface SolanaPast {
  firstSeen: FirstSeen
  /** What this process has signed to use up what the nonces held. */
  renewals: Pick<PreparedBatch, 'hash' | 'raw'>[]
  /** Undefined while something may still land that nobody here knows. */
  closed: ClosedPast | undefined
  /** How far this process's own look into the list has come: it began after the past was closed. */
  before: string | undefined
  /** What is read already of the transactions that the database does not know, by signature: a page may take several rounds. */
  seen: Map<string, Omit<ForeignTransfer, 'minedAt'>[]>
  isRead: boolean
  /** The newest slot of a transaction of the treasury that the database knew. */
  newest: number
}

/** From when on nothing lands that was signed before. */
export interface ClosedPast {
  /** Everything of it that landed is in this slot or before. */
  slot: number
  /**
   * Signatures of transactions of this process, the newest of which landed after everything that nobody knows. A list of the treasury's
   * transactions that does not show them is of a node whose index is late, and may lack others.
   */
  marks: Set<string>
}

/** The past of a process that has just begun. */
export function newPast(): SolanaPast {
  return {
    firstSeen: new Map(),
    renewals: [],
    closed: undefined,
    before: undefined,
    seen: new Map(),
    isRead: false,
    newest: 0,
  }
}

/** Begins anew where the database knows less than it did: it was set back while this process runs. */
export function noteNewest(past: SolanaPast, newest: number): void {
  if (newest < past.newest) Object.assign(past, newPast())
  past.newest = newest
}

/** Notes that the database knows a transaction in this slot, though nobody has asked it since. */
export function noteWritten(past: SolanaPast, slot: number): void {
  past.newest = Math.max(past.newest, slot)
}

/**
 * Notes that nothing can land any more that nobody here knows: each nonce is used up by what this process has signed for that, or
 * what is written down lives by it. That another value is there than at first is not enough: what nobody knows may have left it.
 * @param landed see `WantedPayouts`
 * @returns the accounts whose nonces have to be used up first; none where it is noted
 */
export async function closePast(
  past: SolanaPast,
  { unclaimed, slot }: Pick<Nonces, 'unclaimed' | 'slot'>,
  landed: WantedPayouts['landed'],
): Promise<string[]> {
  const hashes = await landed(past.renewals.map(({ hash }) => hash))
  const renewals = past.renewals.filter(({ hash }) => hashes.has(hash))
  const usedUp = new Set(renewals.flatMap(({ raw }) => usedUpNonces(raw)))
  const left = unclaimed.filter(({ account }) => !usedUp.has(account))
  for (const { account, value } of left) past.firstSeen.set(account, value)
  if (left.length === 0) past.closed = { slot, marks: new Set(renewals.map(({ hash }) => hash)) }
  return left.map(({ account }) => account)
}
