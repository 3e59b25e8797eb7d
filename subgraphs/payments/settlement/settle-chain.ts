import type { Chain } from '../../../chains/chain.js'
import { withAdvisoryLock, type HeldLock } from '../../../kernel/advisory-lock.js'
import { AppError } from '../../../kernel/errors.js'
import type { EnabledChains } from '../model/chain-access.js'
import type { Runtime } from '../model/runtime.js'
import type { Payout, TreasuryTransaction } from '../store/payout.entity.js'
import type { SignedPayout } from '../store/payouts.js'
import type { Stores } from '../store/stores.js'
import { confirmPayout, holdPayout, renewPayout, retryAt, retryPayout } from './finish-payout.js'
import { followFinalityJob } from './follow-jobs.js'
import { FOLLOW_MS, followAtTimes, type TreasuryDeps } from './follow-landed.js'
import type { PayoutChain, PreparedPayout, PreparedVersion, TransactionStatus, PayoutChains } from './payout-chain.js'
import { settleChainJob, type SettleChainJob } from './settlement-jobs.js'

/** What settling a chain's payouts needs. */
export type SettleChainDeps = TreasuryDeps &
  EnabledChains &
  PayoutChains &
  Pick<Runtime, 'delay' | 'isStopping'> &
  Pick<Stores, 'addJobNow' | 'pool'>

/** Transactions on their way at once: nodes keep few of one account that wait for earlier nonces (geth: 64). */
const OPEN_MAX = 48
/** Sends on their way at once: nodes keep a transaction that comes before the nonce in front of it. */
const SENT_AT_ONCE = 8
/** Payments whose payouts are written down at once; each holds a connection, and requests need some too. */
const FOLLOWED_AT_ONCE = 4
/** Rounds of one run of the job; after that other jobs run. */
const ROUNDS_MAX = 50
/** Looks in a row that show nothing new, after which the job leaves its worker to others and comes again. */
const WAITS_MAX = 12
/** Between two polls at transactions that wait for a block. */
const POLL_MS = 250
const BUSY_MS = 500
const TROUBLE_MS = 5_000
/** After what time a payout comes up again for which the treasury's balances are insufficient. */
const INSUFFICIENT_MS = 15_000
/** A transaction that is in no block after this gets higher fees; so often at most. */
const STUCK_MS = 60_000
const VERSIONS_MAX = 12

interface Treasury {
  deps: SettleChainDeps
  chain: Chain
  port: PayoutChain
}

/** What a round came to. `idle`: nothing is open, and nothing waits that could be paid now. */
type Round = 'progress' | 'waiting' | 'idle'

/**
 * The job that brings a chain's payouts on. One worker at a time signs for the treasury; after a crash the next worker finds
 * each step written down, and continues from what the chain shows.
 */
export async function settleChain(deps: SettleChainDeps, { chainName }: SettleChainJob): Promise<void> {
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  const port = chain && deps.payoutChains[chain.family]
  if (!chain || !port) {
    await deps.alerts.raise({ kind: 'payout_stuck', subject: chainName, details: 'there is no treasury on this chain' })
    return again(deps, chainName, INSUFFICIENT_MS)
  }
  const lock = `treasury:${chainName}:${port.account}`
  const locked = await withAdvisoryLock(deps.pool, lock, (held) => settleRounds({ deps, chain, port }, held))
  const delayMs = locked ? locked.result : BUSY_MS
  if (delayMs !== undefined) await again(deps, chainName, delayMs)
  else await deps.addJobNow(followFinalityJob(chainName, after(deps, FOLLOW_MS)))
}

async function again(deps: SettleChainDeps, chainName: string, delayMs: number): Promise<void> {
  await deps.addJobNow(settleChainJob(chainName, after(deps, delayMs)))
}

function after({ clock }: SettleChainDeps, delayMs: number): Date {
  return new Date(clock.now().getTime() + delayMs)
}

/** Returns when to come again, in milliseconds; undefined when all is done. */
async function settleRounds(treasury: Treasury, lock: HeldLock): Promise<number | undefined> {
  const { deps, chain } = treasury
  try {
    await followAtTimes(treasury)
    for (let round = 0, waits = 0; round < ROUNDS_MAX && waits < WAITS_MAX && !deps.isStopping(); round += 1) {
      await lock.assertHeld()
      const outcome = await settleOnce(treasury)
      if (outcome === 'idle') return await nextRetry(treasury)
      waits = outcome === 'waiting' ? waits + 1 : 0
      if (outcome === 'waiting') await deps.delay(POLL_MS)
    }
    return POLL_MS
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The chain is away: nothing is lost, what is owed and what was signed is written down.
    deps.log.warn({ chain: chain.name, errorCode: error.code, details: error.details }, 'payouts wait for the chain')
    return TROUBLE_MS
  }
}

/** When a payout that was rescheduled comes up again. */
async function nextRetry({ deps, chain }: Treasury): Promise<number | undefined> {
  const at = await deps.payouts.nextWaitingAt(chain.name)
  return at && Math.max(at.getTime() - deps.clock.now().getTime(), 0)
}

async function settleOnce(treasury: Treasury): Promise<Round> {
  const { deps, chain, port } = treasury
  const before = await deps.payouts.findOpen(chain.name, port.account)
  const { hasMoved, unmined } = await followOpen(treasury, before)
  const open = hasMoved ? await deps.payouts.findOpen(chain.name, port.account) : before
  if (unmined) await replaceStuck(treasury, unmined)
  const started = await startWaiting(treasury, open)
  if (hasMoved || started === 'progress') return 'progress'
  return open.length > 0 ? 'waiting' : started
}

/**
 * Sends what may not have been sent, and writes down what landed.
 * @returns whether anything landed, and the newest version of the first nonce that waits for a block
 */
async function followOpen(
  treasury: Treasury,
  open: readonly SignedPayout[],
): Promise<{ hasMoved: boolean; unmined: SignedPayout | undefined }> {
  if (open.length === 0) return { hasMoved: false, unmined: undefined }
  const { chain, port } = treasury
  const stored = newestVersions(open).filter(({ transaction }) => transaction.state === 'stored')
  const refused = await send(treasury, stored)
  const statuses = await port.retrieve(chain, open)
  const moved = await withConcurrency(statuses, FOLLOWED_AT_ONCE, (status) => follow(treasury, status))
  const forgotten = statuses.filter(({ state, signed }) => state === 'unknown' && !stored.includes(signed))
  refused.push(
    ...(await send(
      treasury,
      forgotten.map(({ signed }) => signed),
    )),
  )
  await freeNonces(treasury, refused)
  const unmined = statuses.find(
    ({ state, signed }) => (state === 'waiting' || state === 'unknown') && !refused.includes(signed),
  )
  return { hasMoved: moved.includes(true), unmined: unmined?.signed }
}

/** Of each nonce the version that was signed last: the earlier ones would be refused with it. */
function newestVersions(open: readonly SignedPayout[]): readonly SignedPayout[] {
  return open.filter(
    ({ transaction: { nonce } }, index) => nonce === null || open[index + 1]?.transaction.nonce !== nonce,
  )
}

/** Runs `work` on each item, started in their order, so many at once; the results in the items' order. */
async function withConcurrency<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const drive = async (): Promise<void> => {
    for (const [index, item] of entries) results[index] = await work(item)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: width }, drive))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
  return results
}

/** Acts on what the chain shows of one transaction. Returns whether it is over with it. */
async function follow({ deps }: Treasury, status: TransactionStatus): Promise<boolean> {
  const { signed, state } = status
  if (state === 'unknown' || state === 'waiting') return false
  if (state === 'confirmed') await confirmPayout(deps, status)
  else if (state === 'failed') await retryPayout(deps, status)
  else if (state === 'void') await renewPayout(deps, signed)
  else if (state === 'missing') await holdPayout(deps, signed)
  else await deps.alerts.raise({ kind: 'payout_stuck', subject: signed.payout.paymentId, details: status.reason })
  return state !== 'unexpected'
}

/**
 * Sends in the order of nonces, a few at once. What the chain refuses stays written down and is sent again.
 * @returns what the chain will never take
 */
async function send({ deps, chain, port }: Treasury, signed: readonly SignedPayout[]): Promise<SignedPayout[]> {
  const sent: TreasuryTransaction[] = []
  const refused: SignedPayout[] = []
  await withConcurrency(signed, SENT_AT_ONCE, async (one) => {
    const { transaction } = one
    const result = await port.send(chain, transaction.raw)
    if (result.kind === 'sent') sent.push(transaction)
    if (result.kind !== 'refused') return
    if (result.isLasting) refused.push(one)
    const subject = transaction.paymentId
    await deps.alerts.raise({ kind: 'payout_failed', subject, details: `refused: ${result.reason}` })
  })
  if (sent.length > 0) await deps.payouts.markSent(sent)
  return refused
}

/**
 * Signs a transaction that moves nothing for each nonce whose payout the chain refuses for good: everything behind it
 * waits for that nonce. The refused bytes are not forgotten, in case a node took them after all; which of the two
 * landed decides what becomes of the payout.
 */
async function freeNonces(treasury: Treasury, refused: readonly SignedPayout[]): Promise<void> {
  const { chain, port } = treasury
  if (!port.nonces) return
  for (const signed of refused) {
    if (port.nonces.isFreed(signed.transaction)) continue
    await sendVersion(treasury, signed, await port.nonces.free(chain, signed.transaction))
  }
}

/** Raises the fees of the first transaction that is in no block for long; those behind it wait for its nonce. */
async function replaceStuck(treasury: Treasury, newest: SignedPayout): Promise<void> {
  const { deps, chain, port } = treasury
  const { version, createdAt, paymentId } = newest.transaction
  if (!port.nonces || deps.clock.now().getTime() - createdAt.getTime() < STUCK_MS) return
  await deps.alerts.raise({ kind: 'payout_stuck', subject: paymentId, details: `in no block on ${chain.name}` })
  if (version + 1 >= VERSIONS_MAX) return
  await sendVersion(treasury, newest, await port.nonces.raiseFees(chain, newest.transaction))
}

/** Writes down another version of a transaction, then sends it. */
async function sendVersion(
  treasury: Treasury,
  { payout, transaction: old }: SignedPayout,
  { hash, raw }: PreparedVersion,
): Promise<void> {
  const { deps } = treasury
  const version = old.version + 1
  const transaction: TreasuryTransaction = { ...old, hash, raw, version, state: 'stored', createdAt: deps.clock.now() }
  await deps.payouts.addVersion(transaction)
  await send(treasury, [{ payout, transaction }])
}

/** Signs transactions for payouts that wait, writes them down, and sends them. */
async function startWaiting(treasury: Treasury, open: readonly SignedPayout[]): Promise<Round> {
  const { deps, chain, port } = treasury
  const room = OPEN_MAX - open.length
  const now = deps.clock.now()
  const payouts = room > 0 ? await deps.payouts.findWaiting(chain.name, now, room) : []
  if (payouts.length === 0) return 'idle'
  const nextNonce = await deps.payouts.nextNonce(chain.name, port.account)
  const newestBlock = await deps.payouts.newestBlock(chain.name, port.account)
  const { prepared, insufficientFunds, failing } = await port.prepare(chain, { payouts, open, nextNonce, newestBlock })
  for (const { payout, reason } of failing) {
    await deps.payouts.reschedule(payout, retryAt(payout.attempt + 1, now))
    await deps.alerts.raise({ kind: 'payout_failed', subject: payout.paymentId, details: `would fail: ${reason}` })
  }
  const claimed = await deps.payouts.claim(prepared.map((one) => signedOf(treasury, one, now)))
  await freeNonces(treasury, await send(treasury, claimed))
  if (claimed.length > 0 || insufficientFunds.length === 0) return 'progress'
  // With transactions on their way the balances may only look insufficient: they are taken off before they are gone.
  if (open.length > 0) return 'waiting'
  await rescheduleInsufficient(treasury, insufficientFunds, now)
  return 'progress'
}

/** Nothing is lost: what the treasury owes stays written down, and comes up again until it is funded. */
async function rescheduleInsufficient(
  { deps, chain, port }: Treasury,
  insufficientFunds: readonly Payout[],
  now: Date,
): Promise<void> {
  for (const payout of insufficientFunds)
    await deps.payouts.reschedule(payout, new Date(now.getTime() + INSUFFICIENT_MS))
  const symbols = [...new Set(insufficientFunds.map(({ symbol }) => symbol))].join(', ')
  const details = `${insufficientFunds.length} payouts of ${symbols} wait for funds of ${port.account}`
  await deps.alerts.raise({ kind: 'treasury_shortage', subject: chain.name, details })
}

function signedOf(
  { chain, port }: Treasury,
  { payout, hash, raw, nonce, validUntil }: PreparedPayout,
  now: Date,
): SignedPayout {
  const { tenantId, paymentId, splitIndex, attempt } = payout
  const transaction: TreasuryTransaction = {
    chainName: chain.name,
    hash,
    account: port.account,
    tenantId,
    paymentId,
    splitIndex,
    attempt: attempt + 1,
    version: 0,
    nonce,
    validUntil,
    raw,
    state: 'stored',
    createdAt: now,
    blockNumber: null,
    blockHash: null,
    checkAt: null,
  }
  return { payout, transaction }
}
