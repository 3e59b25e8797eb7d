import { withAdvisoryLock, type HeldLock } from '../../../kernel/advisory-lock.js'
import { followFinalityJob } from './follow-jobs.js'
import { FOLLOW_MS, followAtTimes } from './follow-landed.js'
import { intervene } from './intervene.js'
import { beginRun, rethrowFirst, settleOnce, unlessAway, type Run, type RunningAccount } from './settle-round.js'
import { askedAgainInMs } from './silent-accounts.js'
import { settleChainAgainJob, settleChainJob, type SettleChainJob } from './settlement-jobs.js'
import type { SettleChainDeps } from './treasury.js'
import { accountsOn } from './treasury-accounts.js'

/** Rounds of one run of the job; after that other jobs run. */
const ROUNDS_MAX = 50
/** Polls in a row that show nothing new, after which the job leaves its worker to others and comes again. */
const WAITS_MAX = 12
/** Between two polls at transactions that wait for a block. */
const POLL_MS = 250
const BUSY_MS = 500
const TROUBLE_MS = 5_000
/** After what time a chain comes up again on which there is no treasury. */
const INSUFFICIENT_MS = 15_000

/**
 * The job that brings a chain's payouts on, of all accounts of the treasury in turn. One worker at a time signs for them; after a
 * crash the next worker finds each step written down, and continues from what the chain shows.
 */
export async function settleChain(deps: SettleChainDeps, { chainName }: SettleChainJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  const ports = chain ? await accountsOn(deps, chain) : []
  if (!ports.some(({ canSign }) => canSign)) {
    await deps.alerts.raise({ kind: 'payout_stuck', subject: chainName, details: 'there is no treasury on this chain' })
  }
  if (!chain || ports.length === 0) {
    return deps.addJobNow(settleChainJob(chainName, after(deps, INSUFFICIENT_MS)))
  }
  const treasuries = ports.map((port) => ({ deps, chain, port }))
  const locks = ports.map(({ account }) => `treasury:${chainName}:${account}`)
  const locked = await withAdvisoryLock(deps.pool, locks, async (held) => {
    const againMs = await settleRounds(beginRun({ deps, chain, treasuries }), held)
    // Under the lock: one who was held up behind it would put off what the run after it has planned by then.
    await held.assertHeld()
    if (againMs !== undefined) await deps.addJobNow(settleChainAgainJob(chainName, after(deps, againMs)))
    else await deps.addJobNow(followFinalityJob(chainName, after(deps, FOLLOW_MS)))
  })
  if (!locked) await deps.addJobNow(settleChainJob(chainName, after(deps, BUSY_MS)))
}

function after({ clock }: SettleChainDeps, delayMs: number): Date {
  return new Date(clock.now().getTime() + delayMs)
}

/** Returns when to come again, in milliseconds; undefined when all is done. Throws what was not foreseen, of one account, last. */
async function settleRounds(run: Run, lock: HeldLock): Promise<number | undefined> {
  const againMs = await settleAll(run, lock)
  const { deps, chain, accounts } = run
  if (accounts.some(({ failure }) => failure) && !accounts.every(({ failure }) => failure)) {
    // The next try of a job that fails may be hours away: the other accounts do not wait for it.
    await lock.assertHeld()
    const otherMs = Math.min(againMs ?? TROUBLE_MS, TROUBLE_MS)
    await deps.addJobNow(settleChainAgainJob(chain.name, after(deps, otherMs)))
  }
  rethrowFirst(run)
  return againMs
}

async function settleAll(run: Run, lock: HeldLock): Promise<number | undefined> {
  const { deps, accounts } = run
  for (const account of accounts) await unlessAway(account, () => followAtTimes(account.treasury))
  if (accounts.every(({ failure }) => failure)) return undefined
  const isAnyLeft = await intervene(run)
  for (let round = 0, waits = 0; round < ROUNDS_MAX && waits < WAITS_MAX && !deps.isStopping(); round += 1) {
    await lock.assertHeld()
    const outcome = await settleOnce(run)
    if (outcome === 'idle') return nextRun(run, isAnyLeft)
    waits = outcome === 'waiting' ? waits + 1 : 0
    if (outcome === 'waiting') await deps.delay(POLL_MS)
  }
  return POLL_MS
}

/** When a payout that was rescheduled comes up again. A decision that was left, or an account, is not put off by one that waits longer. */
async function nextRun({ deps, chain, accounts }: Run, isAnyLeft: boolean): Promise<number | undefined> {
  // What cannot be signed for may wait longer and longer; what is on its way is followed all the same.
  const againMs = ({ hasOpen, treasury }: RunningAccount) => (hasOpen ? TROUBLE_MS : askedAgainInMs(treasury))
  const awayMs = accounts.filter(({ isAway }) => isAway).map(againMs)
  const canPay = accounts.some(({ isAway, treasury }) => !isAway && treasury.port.canSign)
  if (!canPay) return awayMs.length > 0 ? Math.min(...awayMs) : INSUFFICIENT_MS
  const at = deps.arePayoutsPaused ? undefined : await deps.payouts.nextWaitingAt(chain.name)
  const retryMs = at && Math.max(at.getTime() - deps.clock.now().getTime(), 0)
  const planned = [...awayMs, ...(isAnyLeft ? [TROUBLE_MS] : []), ...(retryMs === undefined ? [] : [retryMs])]
  return planned.length > 0 ? Math.min(...planned) : undefined
}
