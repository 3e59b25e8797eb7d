import type { EvmChain } from '../../../../chains/chain.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import { withConcurrency } from '../../../../kernel/with-concurrency.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'
import type { Watched, WatchScope } from '../../store/watched-addresses.js'
import { applyDeposits, type ApplyDepositsDeps } from './apply-deposits.js'
import { watchAddressesJob, type WatchAddressesJob } from './deposit-jobs.js'
import { endWatches, lookBacksDue, type EndWatchesDeps } from './end-watches.js'
import { countingLock, isGoneBack, othersOf, readRange, type ReadRangeDeps, type ReadState } from './read-range.js'

/** What watching addresses needs. */
export type WatchAddressesDeps = ApplyDepositsDeps &
  EndWatchesDeps &
  ReadRangeDeps &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJobNow' | 'addresses' | 'pool'>

/** Between two looks while a price holds; all others are looked at once a minute. */
const POLL_MS = 500
/** After a price has run out its last payments may still be on their way. */
const WARM_MS = 600_000
/** So many ranges of blocks in one run of the job. */
const RANGES_MAX = 20
const PAGE = 200
/** So many are counted beside each other: each may wait for who screens it, or for the provider of a charge that waits. */
const BESIDE = 10
/**
 * So long after its end a watch goes on whose last blocks were not read. Where no node has them any more, others do not wait for them for ever:
 * what came in them is then told as what came after the watch.
 */
const UNENDED_MS = 7 * 24 * 3_600_000
/** A chain that is not read up to its newest blocks for so long is told to an operator. */
const UNREAD_MS = 15 * 60_000

/** Begins to look on each chain on which something may come, or may have come after the watch; every minute. */
export async function startWatching(deps: WatchAddressesDeps): Promise<void> {
  await endUnread(deps)
  const watched: string[] = []
  for (const chain of deps.settings.chains) {
    for (const scope of ['open', 'all'] as const) {
      if (chain.family === 'evm' && ((await isWatched(deps, chain, scope)) || (await isOver(deps, chain, scope)))) {
        await deps.addJobNow(watchAddressesJob({ chainName: chain.name, scope }))
        if (scope === 'open') continue
        watched.push(chain.name)
        await tellUnread(deps, chain)
      }
    }
  }
  await deps.addresses.forgetUnwatched([...watched, ...watched.map(othersOf)])
}

/**
 * The job that finds what has come to payments' addresses on a chain: all of them by one question a range of blocks, from
 * where it stopped before. Only blocks are read that have the chain's confirmations.
 */
export async function watchAddresses(deps: WatchAddressesDeps, { chainName, scope }: WatchAddressesJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (chain?.family !== 'evm') return
  // One of each scope: who pays now does not wait until all old addresses are read.
  const lock = `watch-addresses:${chainName}:${scope}`
  const ran = await withAdvisoryLock(deps.pool, lock, () => look(deps, chain, scope)).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    const { code, details } = error
    deps.log.warn({ chain: chainName, errorCode: code, details }, 'the addresses of payments cannot be looked at now')
    return { result: 'unread' as const }
  })
  if (scope === 'all' && ran?.result === 'done') await deps.addresses.noteRead(chainName)
  // Another look was under way, or this one comes again while a price holds.
  if (ran && (scope === 'all' || !(await isWatched(deps, chain, scope)))) return
  await deps.addJobNow(watchAddressesJob({ chainName, scope }, new Date(deps.clock.now().getTime() + POLL_MS)))
}

/**
 * A look that fails once is nothing: nodes fail. Whoever asks for looks tells, not the look itself: it may take long, get no further, or
 * read more slowly than blocks come. All are looked at whenever those whose price holds are: this is asked of all.
 */
async function tellUnread({ addresses, alerts, clock }: WatchAddressesDeps, { name }: EvmChain): Promise<void> {
  const now = clock.now()
  const since = await addresses.noteUnread(name, now)
  if (now.getTime() - since.getTime() < UNREAD_MS) return
  await alerts.raise({ kind: 'deposits_unread', subject: name, details: `since ${since.toISOString()}` })
}

async function look(deps: WatchAddressesDeps, chain: EvmChain, scope: WatchScope): Promise<ReadState> {
  const watched = { watched: watchedOn(deps, chain, scope), all: watchedOn(deps, chain, 'all') }
  const due = scope === 'all' ? await lookBacksDue(deps, chain) : []
  let state: ReadState = 'more'
  for (let ranges = 0; ranges < RANGES_MAX && state === 'more'; ranges += 1) {
    state = await readRange(deps, chain, watched)
  }
  if (state !== 'done') return state
  const counted = await withAdvisoryLock(deps.pool, countingLock(chain.name, scope), async () => {
    // Nothing is counted before it is known what came again of what was in dropped blocks.
    const upTo = await deps.addresses.cursor(chain.name, scope)
    if (isGoneBack(upTo)) return false
    await countDue(deps, chain)
    if (scope === 'all' && upTo) await endWatches(deps, chain, { upTo, due })
    return true
  })
  return counted?.result ? state : 'behind'
}

/** Counts what is due on a chain, whatever look has found it. */
async function countDue(deps: WatchAddressesDeps, chain: EvmChain): Promise<void> {
  const now = deps.clock.now()
  const pageAfter = (after: string) => deps.addresses.due(chain.name, now, { after, limit: PAGE })
  for (let page = await pageAfter(''); page.length > 0; page = await pageAfter(page.at(-1)?.paymentId ?? '')) {
    await withConcurrency(page, BESIDE, ({ tenantId, paymentId }) =>
      // Those whose charges cannot be ended now, however many, must not keep others from their money.
      applyDeposits(deps, { tenantId, paymentId, chainName: chain.name }).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        deps.log.warn({ paymentId, errorCode: error.code }, 'what came to an address cannot be counted now')
      }),
    )
  }
}

async function isWatched(deps: WatchAddressesDeps, chain: EvmChain, scope: WatchScope): Promise<boolean> {
  return (await deps.addresses.span(watchedOn(deps, chain, scope))).addresses > 0
}

/** Whether it is to be asked what came to an address whose watch is over, or the watch is to be ended. */
async function isOver(
  { addresses, clock }: WatchAddressesDeps,
  { name }: EvmChain,
  scope: WatchScope,
): Promise<boolean> {
  return scope === 'all' && (await addresses.isAnyDue(name, clock.now()))
}

/** Nobody reads for these any more, and no node is needed to say so: else their payments would wait for them for ever. */
function endUnread({ addresses, clock }: WatchAddressesDeps): Promise<void> {
  const now = clock.now()
  return addresses.endUnread(new Date(now.getTime() - UNENDED_MS), now)
}

/** An address is the same on every chain with the same deployer: money that is sent on the wrong one is seen too. */
function watchedOn(
  { settings, clock }: EnabledChains & Pick<Runtime, 'clock'>,
  chain: EvmChain,
  scope: WatchScope,
): Watched {
  const deployer = chain.split?.deployer.toLowerCase()
  const same = settings.chains.filter(
    (other) => other.family === 'evm' && other.split?.deployer.toLowerCase() === deployer,
  )
  const now = clock.now().getTime()
  return {
    chainName: chain.name,
    scope,
    chainNames: scope === 'open' || deployer === undefined ? [chain.name] : same.map(({ name }) => name),
    after: new Date(now - (scope === 'open' ? WARM_MS : UNENDED_MS)),
  }
}
