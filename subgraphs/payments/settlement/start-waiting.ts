import type { AccountNonce, OpenBatch, SignedBatch } from '../store/batches.js'
import type { BatchLeg, Payout, TreasuryTransaction } from '../store/payout.entity.js'
import { freeNonces, send, type OpenStatuses } from './follow-open.js'
import { holdForeign } from './hold-foreign.js'
import { lackingFunds } from './lacking-funds.js'
import { leaveUnlisted } from './leave-unlisted.js'
import type { Preparation, PreparedBatch } from './payout-chain.js'
import type { ReadPasts } from './read-pasts.js'
import { retryAt } from './retry-at.js'
import { screenPayouts } from './screen-payouts.js'
import type { Round, Treasury } from './treasury.js'

/** An account of the treasury as a round has found it. */
export interface AccountNow {
  treasury: Treasury
  open: readonly OpenBatch[]
  /** What the chain shows of these. */
  statuses: OpenStatuses
  /** Tokens that it is short of, and that another account may pay when it has room: it asks for what is behind them. */
  leaves: Set<string>
}

/** What an account made of the payouts that wait. */
export interface Started {
  round: Round
  /** For which its balances are insufficient. */
  insufficientFunds: readonly Payout[]
  /** Of these, those for which they do not only look it. */
  lacking: readonly Payout[]
}

/**
 * Signs transactions of one account for payouts that wait, writes them down, and sends them.
 * @param readPasts what all accounts of the chain have sent that is not written down; asked for where something waits
 * @throws AppError where the account can sign nothing now
 */
export async function startWaiting(
  { treasury, open, statuses, leaves }: AccountNow,
  readPasts: () => Promise<ReadPasts>,
): Promise<Started> {
  const { deps, chain, port } = treasury
  // What only waits for confirmations holds up nobody.
  const room = port.unminedMax - statuses.unmined.length
  const now = deps.clock.now()
  const mayPay = port.canSign && !deps.arePayoutsPaused && room > 0
  const find = async (after?: Date): Promise<readonly Payout[]> =>
    leaveUnlisted(
      treasury,
      await deps.payouts.findWaiting(chain.name, now, room * port.batchMax, { without: [...leaves], after }),
    )
  const due = mayPay ? await find() : []
  if (due.length === 0) return nothing('idle')
  const pasts = await readPasts()
  if (pasts.assertRead(treasury) === 'waiting') return nothing('waiting')
  const after = pasts.paysAfter(treasury)
  const unpaid = after ? await find(after) : due
  if (unpaid.length === 0) return nothing('waiting')
  const payouts = await screenPayouts(treasury, await holdForeign(treasury, unpaid, pasts))
  if (payouts.length === 0) return nothing('idle')
  const { prepared, insufficientFunds, failing } = await prepare(treasury, payouts, { open, room })
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
  if (prepared.length + failing.length + insufficientFunds.length === 0) return nothing('waiting')
  const lacking = lackingFunds(treasury, { prepared, insufficientFunds, open }, now)
  const isNext = prepared.length > 0 || insufficientFunds.length === 0
  return { round: isNext ? 'progress' : 'waiting', insufficientFunds, lacking }
}

const nothing = (round: Round): Started => ({ round, insufficientFunds: [], lacking: [] })

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
