import type { Payout } from '../store/payout.entity.js'
import { bringOn } from './follow-open.js'
import { readPasts, type ReadPasts } from './read-pasts.js'
import { startWaiting, type AccountNow, type Started } from './start-waiting.js'
import type { ChainTreasuries, Round } from './treasury.js'

/** After what time a payout comes up again that no account can fund. */
const INSUFFICIENT_MS = 15_000

/** What came of an account's start; a failure is that account's alone. */
export type Outcome = Round | { error: unknown }

/**
 * Has all accounts of a chain bring on what is on its way and pay what waits, the one with the fewest transactions under way first. What
 * one cannot fund is left to the next; only what none can is rescheduled, and an operator is told.
 * @param accounts those that can be asked now
 */
export async function startAll(
  of: ChainTreasuries,
  accounts: readonly AccountNow[],
): Promise<ReadonlyMap<AccountNow, Outcome>> {
  const outcomes = new Map<AccountNow, Outcome>()
  const asked: Asked[] = []
  let pasts: Promise<ReadPasts> | undefined
  const readOnce = () => (pasts ??= readPasts(of.treasuries.filter(({ port }) => port.canSign)))
  for (const account of accounts.toSorted((one, other) => unminedOf(one) - unminedOf(other))) {
    try {
      const { treasury, open, statuses } = account
      const transactions = open.map(({ transaction }) => transaction)
      await bringOn(treasury, transactions, statuses)
      const started = await startWaiting(account, readOnce)
      outcomes.set(account, started.round)
      asked.push({ account, started })
    } catch (error) {
      outcomes.set(account, { error })
    }
  }
  for (const account of await rescheduleInsufficient(of, asked)) outcomes.set(account, 'progress')
  return outcomes
}

const unminedOf = ({ statuses }: AccountNow): number => statuses.unmined.length

interface Asked {
  account: AccountNow
  started: Started
}

const keyOf = ({ tenantId, paymentId, splitIndex }: Payout): string => JSON.stringify([tenantId, paymentId, splitIndex])

/**
 * Nothing is lost: what the treasury owes stays written down, and comes up again until it is funded.
 * @returns the accounts that do not see it now any more
 */
async function rescheduleInsufficient({ deps, chain, treasuries }: ChainTreasuries, asked: readonly Asked[]) {
  const signing = asked.filter(({ account }) => account.treasury.port.canSign)
  const lacks = signing.map(({ account, started }) => {
    const keys = new Set(started.lacking.map(keyOf))
    return (payout: Payout): boolean => account.leaves.has(payout.symbol) || keys.has(keyOf(payout))
  })
  const lacking = new Map(signing.flatMap(({ started }) => started.lacking.map((payout) => [keyOf(payout), payout])))
  const unfunded = [...lacking.values()].filter((payout) => lacks.every((isLacking) => isLacking(payout)))
  const isAnyFull = signing.some(({ account }) => unminedOf(account) >= account.treasury.port.unminedMax)
  for (const { account, started } of isAnyFull ? signing : []) {
    // The full one may pay these once it has room: meanwhile they keep nothing waiting that this one can pay.
    for (const payout of started.lacking) if (!unfunded.includes(payout)) account.leaves.add(payout.symbol)
  }
  if (unfunded.length === 0) return []
  const notBefore = new Date(deps.clock.now().getTime() + INSUFFICIENT_MS)
  await deps.payouts.reschedule(unfunded, { notBefore, waitsFor: 'funds' })
  const symbols = [...new Set(unfunded.map(({ symbol }) => symbol))].join(', ')
  const accounts = treasuries.flatMap(({ port }) => (port.canSign ? [port.account] : [])).join(', ')
  const details = `${unfunded.length} payouts of ${symbols} wait for funds of ${accounts}`
  await deps.alerts.raise({ kind: 'treasury_shortage', subject: chain.name, details })
  return signing.flatMap(({ account, started }) => (started.lacking.length > 0 ? [account] : []))
}
