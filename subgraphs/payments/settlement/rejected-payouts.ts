import type { Payout } from '../store/payout.entity.js'
import type { AccountNow } from './account-now.js'
import { payoutKey } from './payout-key.js'
import { retryAt } from './retry-at.js'
import { isHeldUp } from './follow-open.js'
import { isSilent } from './silent-accounts.js'
import type { Started } from './start-waiting.js'
import type { ChainTreasuries, Treasury } from './treasury.js'

/** After what time a payout comes up again that no account can fund. */
const INSUFFICIENT_MS = 15_000

/** An account that was asked in a round, and what it made of what waits. */
export interface Asked {
  account: AccountNow
  started: Started
}

/** The payouts that each of these accounts was asked for, and cannot pay. */
export function rejectedBy(treasuries: readonly Treasury[], asked: readonly Asked[]): readonly Payout[] {
  const byPort = new Map(asked.map((one) => [one.account.treasury.port, one]))
  const rejects = treasuries.map(({ port }) => rejectsOf(byPort.get(port)))
  const taken = new Set(asked.flatMap(({ started }) => started.paid.map(payoutKey)))
  return rejectedIn(asked).filter((payout) => !taken.has(payoutKey(payout)) && rejects.every((one) => one(payout)))
}

function rejectsOf(asked: Asked | undefined): (payout: Payout) => boolean {
  if (!asked) return () => false
  const left = [...asked.account.leaves.values()].flatMap((judged) => [...judged.keys()])
  const keys = new Set([...rejectedIn([asked]).map(payoutKey), ...left])
  return (payout) => keys.has(payoutKey(payout))
}

function rejectedIn(asked: readonly Asked[]): readonly Payout[] {
  const all = asked.flatMap(({ started }) => [...started.lacking, ...started.failing.map(({ payout }) => payout)])
  return [...new Map(all.map((payout) => [payoutKey(payout), payout])).values()]
}

/** Why payouts would fail, by their keys: as the accounts see it now, or have seen it when they left them to others. */
function reasonsIn(asked: readonly Asked[]): ReadonlyMap<string, string> {
  const left = asked.flatMap(({ account }) => [...account.leaves.values()].flatMap((judged) => [...judged]))
  const now = asked.flatMap(({ started }) => started.failing.map(({ payout, reason }) => [payoutKey(payout), reason]))
  return new Map([...left, ...now].filter((one): one is [string, string] => one[1] !== undefined))
}

/**
 * Reschedules what no account can pay. Nothing is lost: what the treasury owes stays written down, and comes up again until it is
 * funded. An account that could not be asked may have the funds, unless it could not be asked for long.
 * @returns the accounts that do not see it now any more
 */
export async function rescheduleRejected(of: ChainTreasuries, asked: readonly Asked[]): Promise<readonly AccountNow[]> {
  const stuck = new Set(asked.filter(isStuck).map(({ account }) => account.treasury.port))
  const waitedFor = of.treasuries.filter((one) => one.port.canSign && !isSilent(one) && !stuck.has(one.port))
  const rejected = rejectedBy(waitedFor, asked)
  const rejectedKeys = new Set(rejected.map(payoutKey))
  const reasons = reasonsIn(asked)
  leaveToOthers(of, asked, { waitedFor, rejectedKeys })
  lookAgain(asked, rejectedKeys)
  const unfunded = rejected.filter((payout) => !reasons.has(payoutKey(payout)))
  for (const payout of rejected) {
    const reason = reasons.get(payoutKey(payout))
    if (reason !== undefined) await rescheduleFailing(of, payout, reason)
  }
  if (unfunded.length > 0) await rescheduleUnfunded(of, asked, unfunded)
  return asked
    .filter(({ started: { lacking, failing, insufficientFunds } }) =>
      lacking.length > 0
        ? unfunded.length > 0
        : insufficientFunds.length === 0 && failing.some(({ payout }) => rejectedKeys.has(payoutKey(payout))),
    )
    .map(({ account }) => account)
}

async function rescheduleFailing({ deps }: ChainTreasuries, payout: Payout, reason: string): Promise<void> {
  const notBefore = retryAt(payout.attempt + payout.failedTries + 1, deps.clock.now())
  await deps.payouts.reschedule([payout], { notBefore, waitsFor: 'another_try', hasFailed: true })
  await deps.alerts.raise({ kind: 'payout_failed', subject: payout.paymentId, details: `would fail: ${reason}` })
}

async function rescheduleUnfunded(
  { deps, chain, treasuries }: ChainTreasuries,
  asked: readonly Asked[],
  unfunded: readonly Payout[],
): Promise<void> {
  const notBefore = new Date(deps.clock.now().getTime() + INSUFFICIENT_MS)
  await deps.payouts.reschedule(unfunded, { notBefore, waitsFor: 'funds' })
  const symbols = [...new Set(unfunded.map(({ symbol }) => symbol))].join(', ')
  const answered = new Set(asked.map(({ account }) => account.treasury.port))
  const [silent = [], others = []] = [true, false].map((isUnheard) =>
    treasuries.flatMap((one) =>
      one.port.canSign && (isSilent(one) && !answered.has(one.port)) === isUnheard ? [one.port.account] : [],
    ),
  )
  const unheard = silent.length > 0 ? `; ${silent.join(', ')} cannot be asked` : ''
  const details = `${unfunded.length} payouts of ${symbols} wait for funds of ${others.join(', ')}${unheard}`
  await deps.alerts.raise({ kind: 'treasury_shortage', subject: chain.name, details })
}

/**
 * Has accounts look behind what they cannot pay and others may: it keeps nothing waiting that they can pay. Where one could pay nothing
 * of a token, the fault may be its own, such as that the token has frozen it.
 */
function leaveToOthers(
  { deps, chain }: ChainTreasuries,
  asked: readonly Asked[],
  { waitedFor, rejectedKeys }: { waitedFor: readonly Treasury[]; rejectedKeys: ReadonlySet<string> },
): void {
  const able = new Set(asked.filter(hasRoom).map(({ account }) => account.treasury.port))
  const isAnyBusy = waitedFor.some(({ port }) => !able.has(port))
  for (const { account, started } of asked) {
    const pays = new Set(started.paid.map(({ symbol }) => symbol))
    const isLeft = (payout: Payout): boolean => !rejectedKeys.has(payoutKey(payout)) && !pays.has(payout.symbol)
    const isAsking = isAnyBusy && able.has(account.treasury.port)
    for (const payout of isAsking ? started.lacking.filter(isLeft) : []) leave(account, payout)
    for (const { payout, reason } of started.failing.filter((one) => isLeft(one.payout))) {
      if (!account.leaves.has(payout.symbol)) {
        const why = { chain: chain.name, account: account.treasury.port.account, payment: payout.paymentId, reason }
        deps.log.warn(why, 'an account of the treasury cannot pay a token, which is left to the others')
      }
      leave(account, payout, reason)
    }
  }
}

function leave({ leaves }: AccountNow, payout: Payout, reason?: string): void {
  const judged = leaves.get(payout.symbol) ?? new Map<string, string | undefined>()
  leaves.set(payout.symbol, judged.set(payoutKey(payout), reason))
}

/**
 * Has accounts look again at tokens that they have left to others: once those payouts are rescheduled, and where others cannot pay what
 * they have not looked at, which they may be able to.
 */
function lookAgain(asked: readonly Asked[], rejectedKeys: ReadonlySet<string>): void {
  for (const one of asked) {
    const wanted = rejectedBy([], asked).filter((payout) => !rejectsOf(one)(payout))
    const unseen = new Set(wanted.map(({ symbol }) => symbol))
    for (const [symbol, judged] of one.account.leaves) {
      if (unseen.has(symbol) || [...judged.keys()].some((key) => rejectedKeys.has(key)))
        one.account.leaves.delete(symbol)
    }
  }
}

/** Whether it has no room, and nobody knows when it will have. */
const isStuck = (asked: Asked): boolean => !hasRoom(asked) && isHeldUp(asked.account)

function hasRoom({ account: { treasury, statuses }, started }: Asked): boolean {
  return started.isAble !== false && statuses.unmined.length < treasury.port.unminedMax
}
