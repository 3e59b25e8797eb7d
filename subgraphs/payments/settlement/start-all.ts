import type { Payout } from '../store/payout.entity.js'
import type { AccountNow } from './account-now.js'
import { bringOn, isHeldUp } from './follow-open.js'
import { readPasts, type ReadPasts } from './read-pasts.js'
import { rejectedBy, rescheduleRejected, type Asked } from './rejected-payouts.js'
import { isSilent, noteAble } from './silent-accounts.js'
import { startWaiting } from './start-waiting.js'
import type { ChainTreasuries, Round, Treasury } from './treasury.js'

/** What came of an account's start; a failure is that account's alone. */
export type Outcome = Round | { error: unknown }

/** What came of the start of all accounts. */
export interface StartedAll {
  outcomes: ReadonlyMap<AccountNow, Outcome>
  /** What kept payouts from being rescheduled that no account can pay. What is over is written down all the same, before it is thrown. */
  failure?: { error: unknown }
}

/** The accounts of a chain as a round has found them. */
export interface AccountsNow {
  /** Those that can be asked now. */
  present: readonly AccountNow[]
  /** Those that sit out the run. */
  away: readonly Treasury[]
}

/**
 * Has all accounts of a chain bring on what is on its way and pay what waits, the one with the fewest transactions under way first, and
 * those last of which no block takes the next transaction. What one cannot fund, or what would fail, is left to the next; only what none
 * can pay is rescheduled, and an operator is told.
 */
export async function startAll(of: ChainTreasuries, { present, away }: AccountsNow): Promise<StartedAll> {
  const outcomes = new Map<AccountNow, Outcome>()
  const asked: Asked[] = []
  let pasts: Promise<ReadPasts> | undefined
  const readOnce = () => (pasts ??= readPasts(of.treasuries.filter(({ port }) => port.canSign)))
  const heldUp = new Set(present.filter(isHeldUp))
  for (const account of inTurn(present, heldUp)) {
    const { treasury, open, statuses } = account
    try {
      const transactions = open.map(({ transaction }) => transaction)
      await bringOn(treasury, transactions, statuses)
      const started = await startWaiting(account, readOnce, heldUp.has(account) ? leftTo(of, asked, heldUp) : undefined)
      outcomes.set(account, started.round)
      asked.push({ account, started })
      noteAble(treasury, started.isAble)
    } catch (error) {
      outcomes.set(account, { error })
      noteAble(treasury, false)
    }
  }
  for (const treasury of away) noteAble(treasury, false)
  try {
    for (const account of await rescheduleRejected(of, asked)) outcomes.set(account, 'progress')
  } catch (error) {
    return { outcomes, failure: { error } }
  }
  return { outcomes }
}

function inTurn(present: readonly AccountNow[], heldUp: ReadonlySet<AccountNow>): readonly AccountNow[] {
  const unminedOf = ({ statuses }: AccountNow): number => statuses.unmined.length
  const turnOf = (account: AccountNow): number => (heldUp.has(account) ? 1 : 0)
  return present.toSorted((one, other) => turnOf(one) - turnOf(other) || unminedOf(one) - unminedOf(other))
}

/**
 * What an account gets whose next transaction no block takes: what it signs now would wait behind that one, so it gets only what no other
 * account can pay. Undefined where there is no other.
 */
function leftTo(
  { treasuries }: ChainTreasuries,
  asked: readonly Asked[],
  heldUp: ReadonlySet<AccountNow>,
): readonly Payout[] | undefined {
  const ports = new Set([...heldUp].map(({ treasury }) => treasury.port))
  const others = treasuries.filter((one) => one.port.canSign && !ports.has(one.port) && !isSilent(one))
  return others.length > 0 ? rejectedBy(others, asked) : undefined
}
