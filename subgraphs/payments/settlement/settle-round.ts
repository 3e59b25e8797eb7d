import { lacksNamedCode } from '../../../chains/evm/missing-code.js'
import { isAboveCap } from '../../../chains/fee-cap.js'
import { AppError } from '../../../kernel/errors.js'
import type { AccountNow } from './account-now.js'
import { endAll, retrieveStatuses } from './follow-open.js'
import { tellSilent } from './silent-accounts.js'
import { startAll } from './start-all.js'
import type { ChainTreasuries, Round, Treasury } from './treasury.js'

/** Without a new block the chain is asked for its transactions this often: a node may have dropped one. */
const LOOK_MS = 2_000

/** When the chain was last asked for the open transactions: at what height, when, and whether more could be sent. */
interface Look {
  head: number | undefined
  atMs: number
  hasRoom: boolean
}

/** An account in a run of the job. */
export interface RunningAccount extends Pick<AccountNow, 'leaves'> {
  treasury: Treasury
  look: Look
  /** What its last round came to. */
  last: Round
  /** Whether anything of it was on its way when the chain was asked for that, in this run. */
  hasOpen: boolean
  /** Whether it sits out the rest of the run: its chain is away, or it cannot sign. It keeps no other account waiting. */
  isAway: boolean
  /** Something that nobody has foreseen: it sits out the run too, and the run fails when the others are through. */
  failure?: { error: unknown }
}

/** A run of the job, over all accounts of a chain. */
export interface Run extends ChainTreasuries {
  accounts: readonly RunningAccount[]
}

/** A run that begins. */
export function beginRun(of: ChainTreasuries): Run {
  const accounts = of.treasuries.map((treasury): RunningAccount => {
    const look = { head: undefined, atMs: -Infinity, hasRoom: treasury.port.canSign }
    return { treasury, look, leaves: new Map(), last: 'waiting', hasOpen: false, isAway: false }
  })
  return { ...of, accounts }
}

/**
 * Does something for an account. Where the chain does not answer, or nothing can be signed, the account sits out the run; so it does where
 * anything else fails, which `rethrowFirst` throws.
 */
export async function unlessAway(account: RunningAccount, work: () => Promise<void>): Promise<void> {
  const { deps, chain, port } = account.treasury
  try {
    if (!account.isAway) await work()
  } catch (error) {
    // Nothing is lost: what is owed and what was signed is written down.
    account.isAway = true
    if (!(error instanceof AppError)) {
      account.failure = { error }
      return
    }
    const why = { chain: chain.name, account: port.account, errorCode: error.code, details: error.details }
    deps.log.warn(why, 'payouts wait for the chain')
    await tellSilent(account.treasury, error.details ?? error.code)
    if (isAboveCap(error)) await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, ...dueTo(error) })
    if (lacksNamedCode(error, chain))
      await deps.alerts.raise({ kind: 'chain_mismatch', subject: chain.name, ...dueTo(error) })
  }
}

/** Throws what was not foreseen in a run, of the first account. */
export function rethrowFirst({ accounts }: Run): void {
  const [failed] = accounts.flatMap(({ failure }) => failure ?? [])
  if (failed) throw failed.error as Error
}

const dueTo = ({ details }: AppError) => (details === undefined ? {} : { details })

/** An account whose transactions were asked for in a round. */
interface Followed {
  account: RunningAccount
  now: AccountNow
  hasMoved: boolean
}

/**
 * A round over all accounts: the chain is asked for what is on its way, that is brought on, what waits is sent, and what is over is
 * written down.
 */
export async function settleOnce(run: Run): Promise<Round> {
  const followed = await followAll(run)
  // What waits is sent first: the next block does not wait for what is written down of the last ones.
  const present = followed.map(({ now }) => now)
  const away = run.accounts.filter(({ isAway }) => isAway).map(({ treasury }) => treasury)
  const { outcomes, failure } = await startAll(run, { present, away })
  // What has landed is written down also while nothing can be signed.
  for (const one of followed) {
    await unlessAway(one.account, async () => {
      one.hasMoved = await endAll(one.account.treasury, one.now.statuses.ended)
      noteWritten(one)
    })
  }
  if (failure) throw failure.error as Error
  for (const { account, now, hasMoved } of followed) {
    await unlessAway(account, () => {
      const outcome = outcomes.get(now) ?? 'idle'
      if (typeof outcome === 'object') return Promise.reject(outcome.error as Error)
      if (hasMoved || outcome === 'progress') account.look.atMs = -Infinity
      if (hasMoved) account.last = 'progress'
      else account.last = outcome === 'progress' || now.open.length === 0 ? outcome : 'waiting'
      return Promise.resolve()
    })
  }
  const lasts = run.accounts.filter(({ isAway }) => !isAway).map(({ last }) => last)
  return lasts.find((last) => last === 'progress') ?? lasts.find((last) => last === 'waiting') ?? 'idle'
}

function noteWritten({ now: { treasury, statuses } }: Followed): void {
  const blocks = statuses.ended.flatMap((one) => (one.state === 'confirmed' && one.block ? [one.block.number] : []))
  if (blocks.length > 0) treasury.port.noteWritten?.(treasury.chain, Math.max(...blocks))
}

/** Asks for what is on its way of the accounts of which there may be news. */
async function followAll(run: Run): Promise<Followed[]> {
  const { deps, chain, accounts } = run
  const [first] = run.treasuries
  const readHead = once(async () => first?.port.readHead?.(chain))
  const nextWaitingAt = once(() => deps.payouts.nextWaitingAt(chain.name))
  const followed: Followed[] = []
  for (const account of accounts) {
    await unlessAway(account, async () => {
      if (!(await hasNews(account, { readHead, nextWaitingAt }))) return
      const { treasury, leaves } = account
      const open = await deps.payouts.findOpen(chain.name, treasury.port.account)
      const statuses = await retrieveStatuses(
        treasury,
        open.map(({ transaction }) => transaction),
      )
      account.hasOpen = open.length > 0
      account.look.hasRoom = treasury.port.canSign && statuses.unmined.length < treasury.port.unminedMax
      followed.push({ account, now: { treasury, open, statuses, leaves }, hasMoved: false })
    })
  }
  return followed
}

/** What is asked once in a round, for all accounts. */
interface AskedOnce {
  readHead: () => Promise<number | undefined>
  nextWaitingAt: () => Promise<Date | undefined>
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => (asked ??= ask())
}

/**
 * Whether the chain is worth asking for each open transaction: it has a new block, or payouts wait, or it was not asked for
 * a while. What is on its way changes with blocks only, so that a hundred payouts cost no more calls than one.
 */
async function hasNews({ treasury: { deps }, look }: RunningAccount, asked: AskedOnce): Promise<boolean> {
  const now = deps.clock.now().getTime()
  const head = await asked.readHead()
  const waitingAt = look.hasRoom && !deps.arePayoutsPaused ? await asked.nextWaitingAt() : undefined
  const isDue = head === undefined || head !== look.head || now - look.atMs >= LOOK_MS
  if (!isDue && (waitingAt === undefined || waitingAt.getTime() > now)) return false
  look.head = head
  look.atMs = now
  return true
}
