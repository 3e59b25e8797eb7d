import { isAboveCap } from '../../../chains/fee-cap.js'
import { withAdvisoryLock, type HeldLock } from '../../../kernel/advisory-lock.js'
import { AppError } from '../../../kernel/errors.js'
import { followFinalityJob } from './follow-jobs.js'
import { FOLLOW_MS, followAtTimes } from './follow-landed.js'
import { intervene } from './intervene.js'
import { settleRound } from './settle-round.js'
import { settleChainAgainJob, settleChainJob, type SettleChainJob } from './settlement-jobs.js'
import type { Round, SettleChainDeps, Treasury } from './treasury.js'

/** Rounds of one run of the job; after that other jobs run. */
const ROUNDS_MAX = 50
/** Polls in a row that show nothing new, after which the job leaves its worker to others and comes again. */
const WAITS_MAX = 12
/** Between two polls at transactions that wait for a block. */
const POLL_MS = 250
/** Without a new block the chain is asked for its transactions this often: a node may have dropped one. */
const LOOK_MS = 2_000
const BUSY_MS = 500
const TROUBLE_MS = 5_000
/** After what time a chain comes up again on which there is no treasury. */
const INSUFFICIENT_MS = 15_000

/** When the chain was last asked for the open transactions: at what height, when, and whether more could be sent. */
interface Look {
  head: number | undefined
  atMs: number
  hasRoom: boolean
}

/**
 * The job that brings a chain's payouts on. One worker at a time signs for the treasury; after a crash the next worker finds
 * each step written down, and continues from what the chain shows.
 */
export async function settleChain(deps: SettleChainDeps, { chainName }: SettleChainJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  const port = chain && deps.payoutChains[chain.family]
  if (!chain || !port) {
    await deps.alerts.raise({ kind: 'payout_stuck', subject: chainName, details: 'there is no treasury on this chain' })
    return deps.addJobNow(settleChainJob(chainName, after(deps, INSUFFICIENT_MS)))
  }
  const lock = `treasury:${chainName}:${port.account}`
  const locked = await withAdvisoryLock(deps.pool, lock, async (held) => {
    const againMs = await settleRounds({ deps, chain, port }, held)
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

/** Returns when to come again, in milliseconds; undefined when all is done. */
async function settleRounds(treasury: Treasury, lock: HeldLock): Promise<number | undefined> {
  const { deps, chain } = treasury
  try {
    await followAtTimes(treasury)
    const isAnyLeft = await intervene(treasury)
    const look: Look = { head: undefined, atMs: -Infinity, hasRoom: true }
    for (let round = 0, waits = 0; round < ROUNDS_MAX && waits < WAITS_MAX && !deps.isStopping(); round += 1) {
      await lock.assertHeld()
      const outcome = await settleOnce(treasury, look)
      if (outcome === 'idle') return nextRun(await nextRetry(treasury), isAnyLeft)
      waits = outcome === 'waiting' ? waits + 1 : 0
      if (outcome === 'waiting') await deps.delay(POLL_MS)
    }
    return POLL_MS
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The chain is away: nothing is lost, what is owed and what was signed is written down.
    deps.log.warn({ chain: chain.name, errorCode: error.code, details: error.details }, 'payouts wait for the chain')
    if (isAboveCap(error)) await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, ...dueTo(error) })
    return TROUBLE_MS
  }
}

/** A decision that was left is not put off by a payout that waits for longer. */
function nextRun(retryMs: number | undefined, isAnyLeft: boolean): number | undefined {
  return isAnyLeft ? Math.min(retryMs ?? TROUBLE_MS, TROUBLE_MS) : retryMs
}

const dueTo = ({ details }: AppError) => (details === undefined ? {} : { details })

/** When a payout that was rescheduled comes up again. */
async function nextRetry({ deps, chain }: Treasury): Promise<number | undefined> {
  const at = deps.arePayoutsPaused ? undefined : await deps.payouts.nextWaitingAt(chain.name)
  return at && Math.max(at.getTime() - deps.clock.now().getTime(), 0)
}

async function settleOnce(treasury: Treasury, look: Look): Promise<Round> {
  if (!(await hasNews(treasury, look))) return 'waiting'
  const { outcome, hasRoom } = await settleRound(treasury)
  look.hasRoom = hasRoom
  if (outcome === 'progress') look.atMs = -Infinity
  return outcome
}

/**
 * Whether the chain is worth asking for each open transaction: it has a new block, or payouts wait, or it was not asked for
 * a while. What is on its way changes with blocks only, so that a hundred payouts cost no more calls than one.
 */
async function hasNews({ deps, chain, port }: Treasury, look: Look): Promise<boolean> {
  const now = deps.clock.now().getTime()
  const head = await port.readHead?.(chain)
  const waitingAt = look.hasRoom && !deps.arePayoutsPaused ? await deps.payouts.nextWaitingAt(chain.name) : undefined
  const isDue = head === undefined || head !== look.head || now - look.atMs >= LOOK_MS
  if (!isDue && (waitingAt === undefined || waitingAt.getTime() > now)) return false
  look.head = head
  look.atMs = now
  return true
}
