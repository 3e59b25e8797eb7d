import type { AccountNonce, OpenBatch, SignedBatch } from '../store/batches.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import { freeNonces, send } from './follow-open.js'
import { holdForeign } from './hold-foreign.js'
import { lackingFunds } from './lacking-funds.js'
import { leaveUnlisted } from './leave-unlisted.js'
import type { PreparedBatch } from './payout-chain.js'
import { retryAt } from './retry-at.js'
import { screenPayouts } from './screen-payouts.js'
import type { Round, Treasury } from './treasury.js'

/** After what time a payout comes up again for which the treasury's balances are insufficient. */
const INSUFFICIENT_MS = 15_000

/**
 * Signs transactions for payouts that wait, writes them down, and sends them.
 * @param unmined how many transactions wait for a block: what only waits for confirmations holds up nobody
 */
export async function startWaiting(treasury: Treasury, open: readonly OpenBatch[], unmined: number): Promise<Round> {
  const { deps, chain, port } = treasury
  if (deps.arePayoutsPaused) return 'idle'
  const room = port.unminedMax - unmined
  const now = deps.clock.now()
  const due = room > 0 ? await deps.payouts.findWaiting(chain.name, now, room * port.batchMax) : []
  const waiting = await leaveUnlisted(treasury, due)
  const unpaid = waiting.length > 0 ? await holdForeign(treasury, waiting) : []
  if (unpaid === 'waiting') return 'waiting'
  const payouts = await screenPayouts(treasury, unpaid)
  if (payouts.length === 0) return 'idle'
  const nextNonce = await deps.payouts.nextNonce(chain.name, port.account)
  const newestBlock = await deps.payouts.newestBlock(chain.name, port.account)
  const usedNonces = (nonces: readonly AccountNonce[]) => deps.payouts.usedNonces(chain.name, nonces)
  const landed = (hashes: readonly string[]) => deps.payouts.landed(chain.name, hashes)
  const wanted = { payouts, open, room, nextNonce, newestBlock, usedNonces, landed, newId: deps.newId }
  const { prepared, insufficientFunds, failing } = await port.prepare(chain, wanted)
  for (const { payout, reason } of failing) {
    const notBefore = retryAt(payout.attempt + payout.failedTries + 1, now)
    await deps.payouts.reschedule([payout], { notBefore, waitsFor: 'another_try', hasFailed: true })
    await deps.alerts.raise({ kind: 'payout_failed', subject: payout.paymentId, details: `would fail: ${reason}` })
  }
  const claimed = await deps.payouts.claim(prepared.map((one) => signedOf(treasury, one, now)))
  const stored = claimed.map(({ transaction }) => transaction)
  const { refused } = await send(treasury, stored)
  await freeNonces(treasury, refused)
  // Nothing can be signed before what is on its way has landed, or the chain has another block.
  if (prepared.length + failing.length + insufficientFunds.length === 0) return 'waiting'
  const lacking = lackingFunds(treasury, { prepared, insufficientFunds, open }, now)
  if (lacking.length > 0) await rescheduleInsufficient(treasury, lacking, now)
  const isNext = prepared.length + lacking.length > 0 || insufficientFunds.length === 0
  return isNext ? 'progress' : 'waiting'
}

/** Nothing is lost: what the treasury owes stays written down, and comes up again until it is funded. */
async function rescheduleInsufficient(
  { deps, chain, port }: Treasury,
  insufficientFunds: readonly Payout[],
  now: Date,
): Promise<void> {
  const notBefore = new Date(now.getTime() + INSUFFICIENT_MS)
  await deps.payouts.reschedule(insufficientFunds, { notBefore, waitsFor: 'funds' })
  const symbols = [...new Set(insufficientFunds.map(({ symbol }) => symbol))].join(', ')
  const details = `${insufficientFunds.length} payouts of ${symbols} wait for funds of ${port.account}`
  await deps.alerts.raise({ kind: 'treasury_shortage', subject: chain.name, details })
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
