import type { AccountNonce, OpenBatch, SignedBatch } from '../store/batches.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import type { AccountNow } from './account-now.js'
import { freeNonces, send } from './follow-open.js'
import { holdForeign } from './hold-foreign.js'
import { lackingFunds } from './lacking-funds.js'
import { leaveUnlisted } from './leave-unlisted.js'
import type { Preparation, PreparedBatch } from './payout-chain.js'
import { payoutKey } from './payout-key.js'
import type { ReadPasts } from './read-pasts.js'
import { screenPayouts } from './screen-payouts.js'
import type { Round, Treasury } from './treasury.js'

/** What an account made of the payouts that wait. */
export interface Started {
  round: Round
  /** Whether it could sign; undefined where nothing was there to sign for. */
  isAble: boolean | undefined
  /** Those that it has signed transactions for. */
  paid: readonly Payout[]
  /** For which its balances are insufficient. */
  insufficientFunds: readonly Payout[]
  /** Of these, those for which they do not only look it. */
  lacking: readonly Payout[]
  /** Those whose transactions would fail; with the chain's reason. */
  failing: Preparation['failing']
}

/**
 * Signs transactions of one account for payouts that wait, writes them down, and sends them.
 * @param readPasts what all accounts of the chain have sent that is not written down; asked for where something waits
 * @param among the only payouts that it may pay; all where it is undefined
 * @throws AppError where the account can sign nothing now
 */
export async function startWaiting(
  account: AccountNow,
  readPasts: () => Promise<ReadPasts>,
  among: readonly Payout[] | undefined,
): Promise<Started> {
  const { treasury, open, statuses, leaves } = account
  const { deps, chain, port } = treasury
  // What only waits for confirmations holds up nobody.
  const room = port.unminedMax - statuses.unmined.length
  const now = deps.clock.now()
  const mayPay = port.canSign && !deps.arePayoutsPaused && room > 0
  const find = async (after?: Date): Promise<readonly Payout[]> => {
    const limits = { without: [...leaves.keys()], after }
    const found = await deps.payouts.findWaiting(chain.name, now, room * port.batchMax, limits)
    return leaveUnlisted(treasury, among ? found.filter(isAmong(among)) : found)
  }
  const due = mayPay && among?.length !== 0 ? await find() : []
  if (due.length === 0) return nothing((await isAnyLeft(account, now)) ? 'waiting' : 'idle')
  const pasts = await readPasts()
  if (pasts.assertRead(treasury) === 'waiting') return { ...nothing('waiting'), isAble: false }
  const isAble = port.isPastRead(chain)
  const after = pasts.paysAfter(treasury)
  const unpaid = after ? await find(after) : due
  if (after && !due.every(isAmong(unpaid))) await pasts.tellKept(treasury)
  if (unpaid.length === 0) return { ...nothing('waiting'), isAble }
  const payouts = await screenPayouts(treasury, await holdForeign(treasury, unpaid, pasts))
  if (payouts.length === 0) return nothing('idle')
  const { prepared, insufficientFunds, failing } = await prepare(treasury, payouts, { open, room })
  const claimed = await deps.payouts.claim(prepared.map((one) => signedOf(treasury, one, now)))
  const stored = claimed.map(({ transaction }) => transaction)
  const { refused } = await send(treasury, stored)
  await freeNonces(treasury, refused)
  // Nothing can be signed before what is on its way has landed, or the chain has another block.
  if (prepared.length + failing.length + insufficientFunds.length === 0) return { ...nothing('waiting'), isAble }
  const isAnyCovered = payouts.length > insufficientFunds.length + failing.length
  const lacking = lackingFunds(treasury, { prepared, insufficientFunds, open, isAnyCovered }, now)
  // What it cannot pay is gone from its sight once no other account can: only then there is something new.
  const round = prepared.length > 0 ? 'progress' : 'waiting'
  const paid = prepared.flatMap((one) => one.payouts)
  return { round, isAble, paid, insufficientFunds, lacking, failing }
}

const nothing = (round: Round): Started => ({
  ...{ round, isAble: undefined },
  ...{ paid: [], insufficientFunds: [], lacking: [], failing: [] },
})

function isAmong(payouts: readonly Payout[]): (payout: Payout) => boolean {
  const keys = new Set(payouts.map(payoutKey))
  return (payout) => keys.has(payoutKey(payout))
}

/** Whether something is due that was left to others: they may not come to it, so it is asked for again. */
async function isAnyLeft({ treasury: { deps, chain }, leaves }: AccountNow, now: Date): Promise<boolean> {
  if (leaves.size === 0 || deps.arePayoutsPaused) return false
  const at = await deps.payouts.nextWaitingAt(chain.name)
  return at !== undefined && at <= now
}

async function prepare(
  { deps, chain, port }: Treasury,
  payouts: readonly Payout[],
  { open, room }: { open: readonly OpenBatch[]; room: number },
): Promise<Preparation> {
  const nextNonce = await deps.payouts.nextNonce(chain.name, port.account)
  const newestBlock = await deps.payouts.newestBlock(chain.name, port.account)
  const usedNonces = (nonces: readonly AccountNonce[]) => deps.payouts.usedNonces(chain.name, nonces)
  const landed = (hashes: readonly string[]) => deps.payouts.landed(chain.name, hashes)
  return port.prepare(chain, {
    ...{ payouts, open, room, nextNonce, newestBlock, usedNonces, landed },
    newId: deps.newId,
  })
}

function signedOf(
  { chain, port }: Treasury,
  { payouts, batchId, hash, raw, nonce, durableNonce, validUntil }: PreparedBatch,
  now: Date,
): SignedBatch {
  const transaction: TreasuryTransaction = {
    chainName: chain.name,
    hash,
    account: port.account,
    batchId,
    version: 0,
    nonce,
    nonceAccount: durableNonce?.account ?? null,
    nonceValue: durableNonce?.value ?? null,
    nonceSlot: durableNonce?.slot ?? null,
    validUntil,
    raw,
    state: 'stored',
    createdAt: now,
    blockNumber: null,
    slot: null,
    blockHash: null,
    checkAt: null,
    cancelledAt: null,
  }
  const legs = payouts.map((payout, position) => {
    const { tenantId, paymentId, splitIndex, amount } = payout
    const attempt = payout.attempt + 1
    const leg: BatchLeg = { batchId, position, tenantId, paymentId, splitIndex, attempt, amount, outcome: null }
    return { leg, payout }
  })
  return { transaction, legs }
}
