import type { Transaction } from '../../../kernel/database.js'
import { isPositive, subtract } from '../../../kernel/money.js'
import { HOUSE } from '../model/house-entries.js'
import {
  feeCorrectionEntry,
  feeEntry,
  gasRecoveryCorrectionEntry,
  gasRecoveryEntry,
  overpaymentEntry,
  payoutEntry,
} from '../model/ledger-entries.js'
import type { BatchLeg, Payout } from '../store/payout.entity.js'
import { isAwaiting } from '../store/payouts.js'
import type { RecordedChange } from '../store/payment-changes.js'
import type { Stores } from '../store/stores.js'
import { chargeSummary } from './charge-summary.js'
import { feeShare } from './fee-shares.js'
import {
  CANCELLED,
  forEachPayment,
  payoutOf,
  stopIfChargedBack,
  tellOnce,
  UNPROVEN,
  waitAgain,
  type FinishBatchDeps,
  type PaymentLegs,
} from './finish-batch.js'
import type { LegResult, TransactionStatus } from './payout-chain.js'
import { retryAt } from './retry-at.js'
import { isWithheld } from './withhold-payouts.js'

export type ConfirmedBatch = Extract<TransactionStatus, { state: 'confirmed' }>
type Landed = ConfirmedBatch | Extract<TransactionStatus, { state: 'failed' }>

/** What writing down a batch that landed needs. */
export type ConfirmBatchDeps = FinishBatchDeps & Pick<Stores, 'landed'>

/** When the chain is first asked whether it still has a transaction that was called confirmed. */
const FOLLOW_AGAIN_MS = 5_000

/**
 * Writes down what a batch that landed did: who was paid, with the ledger entries; with its last receiver a payment succeeds.
 * A second time it changes nothing. Who was not paid waits for another transaction, once the block is final: on another branch
 * this one may pay him still (`unpaid-legs`). Where another transaction has paid a receiver before, an operator is told.
 */
export async function confirmBatch(deps: ConfirmBatchDeps, landed: ConfirmedBatch): Promise<void> {
  let ended = 0
  await forEachPayment(deps, landed.signed, (of) => {
    ended += of.legs.length
    for (const leg of of.legs) endLeg(deps, landed, of, leg, landed.results[leg.position] ?? UNKNOWN)
    bookFee(landed, of)
    return endPayment(deps, landed, of)
  })
  const unproven = landed.results.find(({ outcome }) => outcome === 'unproven') ?? missingResult(landed)
  if (unproven) await tellOnce(deps, 'payout_unexpected', landed.signed.transaction, `landed: ${unproven.reason ?? ''}`)
  await bookOwnFee(deps, landed)
  // A run that died after it had booked may have seen it in a block that was dropped since, at another price.
  if (ended < landed.signed.legs.length) {
    const versions = await deps.landed.findVersions(landed.signed.transaction)
    const hashes = versions.map(({ transaction }) => transaction.hash)
    await correctFee(deps, hashes, landed)
  }
  // What is in a block that is not dropped any more is final.
  const at = new Date(deps.clock.now().getTime() + FOLLOW_AGAIN_MS)
  const later = landed.block && { at: landed.block.hash === null ? null : at, block: landed.block }
  await deps.payouts.endBatch(landed.signed.transaction, 'confirmed', later)
}

/**
 * Lets the payouts of a batch that landed and moved nothing wait for another one; the gas is gone. An operator's cancellation
 * holds them.
 */
export async function retryBatch(deps: FinishBatchDeps, landed: Landed): Promise<void> {
  const { chainName, hash, cancelledAt } = landed.signed.transaction
  const result: LegResult = { outcome: 'unpaid', reason: `${hash} moved nothing on ${chainName}` }
  await forEachPayment(deps, landed.signed, async (of) => {
    for (const leg of of.legs) {
      const payout = payoutOf(of.payouts, leg)
      if (cancelledAt && payout && isAwaiting(payout, leg)) Object.assign(payout, CANCELLED)
      endLeg(deps, landed, of, leg, result)
    }
    bookFee(landed, of)
    return stopIfChargedBack(deps, of)
  })
  if (cancelledAt) await tellOnce(deps, 'payout_held', landed.signed.transaction, 'was cancelled and moved nothing')
  await bookOwnFee(deps, landed)
  await deps.payouts.endBatch(landed.signed.transaction, 'failed')
}

/** The change by which a payment ends whose receivers are all paid, or whose money was taken back meanwhile. */
export function endPayment(
  deps: FinishBatchDeps,
  { signed }: Landed,
  of: PaymentLegs,
): Promise<RecordedChange | undefined> {
  const areAllPaid = of.payouts.every((one) => one.state === 'confirmed' || isWithheld(one))
  return areAllPaid ? Promise.resolve(successOf(signed.transaction.hash, of)) : stopIfChargedBack(deps, of)
}

const UNKNOWN: LegResult = { outcome: 'unproven', reason: 'the transaction says nothing of it' }

function missingResult({ signed, results }: ConfirmedBatch): LegResult | undefined {
  return signed.legs.every(({ leg }) => results[leg.position]) ? undefined : UNKNOWN
}

/** Gives a leg its outcome, and its payout what follows. */
export function endLeg(
  { clock }: FinishBatchDeps,
  landed: Landed,
  { payment, payouts, entries, alerts }: PaymentLegs,
  leg: BatchLeg,
  { outcome, reason = '' }: LegResult,
): void {
  const { chainName, hash } = landed.signed.transaction
  const payout = payoutOf(payouts, leg)
  leg.outcome = outcome
  if (!payout) return
  if (outcome === 'paid') {
    const paid = { amount: leg.amount, currency: payout.symbol }
    if (payout.state === 'confirmed' || payout.state === 'cancelled') {
      const details = `${hash} paid receiver ${leg.splitIndex} as well`
      alerts.push({ kind: 'paid_twice', subject: payment.id, details })
      entries.push(overpaymentEntry(hash, leg.splitIndex, chainName, paid))
      return
    }
    Object.assign(payout, { state: 'confirmed', hash, confirmedAt: clock.now() } satisfies Partial<Payout>)
    entries.push(payoutEntry(leg.splitIndex, chainName, { ...paid, amount: payout.amount }))
    bookExcess({ hash, chainName }, leg, payout, { payment, entries, alerts })
    return
  }
  if (!isAwaiting(payout, leg)) return
  if (outcome !== 'unpaid') {
    Object.assign(payout, UNPROVEN)
    return
  }
  alerts.push({ kind: 'payout_failed', subject: payment.id, details: reason })
  if (!mayBeDropped(landed)) tryAgain(payout, leg, clock.now())
}

/** Whether its block may still lose its place to another, in which the transaction does something else. */
const mayBeDropped = (landed: Landed): boolean => landed.state === 'confirmed' && (landed.block?.hash ?? null) !== null

/** Lets a payout wait for another transaction that its leg of this one has not paid, for good. */
export function tryAgain(payout: Payout, { attempt }: BatchLeg, now: Date): void {
  waitAgain(payout, retryAt(attempt, now))
  payout.waitsFor = 'another_try'
}

/**
 * Books what a transaction has paid a receiver beyond what is left for him, and tells an operator: a refund was taken off the payout
 * while nobody knew whether the transaction had landed.
 */
export function bookExcess(
  { hash, chainName }: { hash: string; chainName: string },
  leg: BatchLeg,
  payout: Payout,
  { payment, entries, alerts }: Pick<PaymentLegs, 'payment' | 'entries' | 'alerts'>,
): void {
  const more = subtract(leg.amount, payout.amount)
  if (!isPositive(more)) return
  const details = `${hash} paid receiver ${leg.splitIndex} ${more} ${payout.symbol} that were refunded`
  alerts.push({ kind: 'paid_twice', subject: payment.id, details })
  entries.push(overpaymentEntry(hash, leg.splitIndex, chainName, { amount: more, currency: payout.symbol }))
}

/** The payment's part of the gas. */
function bookFee({ signed, fee }: Landed, { legs, entries, bearsGas }: PaymentLegs): void {
  const positions = legs.map(({ position }) => position)
  const amount = feeShare(fee, positions, signed.legs.length)
  const { hash, chainName } = signed.transaction
  if (!isPositive(amount)) return
  const money = { amount, currency: fee.currency }
  entries.push(feeEntry(hash, chainName, money))
  if (bearsGas) entries.push(gasRecoveryEntry(hash, money))
}

/** The gas of a transaction that prepares the account for batches, and pays nobody. A second time it books nothing. */
async function bookOwnFee({ ledger, clock }: FinishBatchDeps, { signed, fee }: Landed): Promise<void> {
  if (signed.legs.length > 0 || !isPositive(fee.amount)) return
  const { hash, chainName } = signed.transaction
  await ledger.bookOnce({ ...HOUSE, at: clock.now() }, feeEntry(hash, chainName, fee))
}

/**
 * The change by which a payment succeeds whose receivers are all paid.
 * @param hash of the transaction that has paid the last of them; null where nobody knows it
 */
export function successOf(hash: string | null, { payment, payouts, record }: PaymentLegs): RecordedChange | undefined {
  if (payment.status !== 'pending' || !record) return undefined
  const globalPaymentData = chargeSummary(record, payouts)
  const tidHash = payouts[0]?.hash ?? hash
  return { change: { status: 'success', tidHash, globalPaymentData }, cause: 'receivers_paid', notify: true }
}

/**
 * Books what a batch has cost in the block that holds it now: a reorganisation gave it another one, or let another version
 * of it land. Booked again it changes nothing.
 * @param hashes of all versions of the transaction: the fee may have been booked for any of them
 */
export async function correctFee(
  deps: FinishBatchDeps,
  hashes: readonly string[],
  { signed, fee }: ConfirmedBatch,
): Promise<void> {
  const { chainName, hash } = signed.transaction
  const account = `treasury:${chainName}`
  const correct = async (
    em: Transaction,
    of: { tenantId: string; paymentId: string },
    share: string,
  ): Promise<void> => {
    const booked = await deps.ledger.feesOf(em, { ...of, hashes, account })
    const more = { amount: subtract(share, booked.fee), currency: fee.currency }
    if (more.amount === '0') return
    const entries = [feeCorrectionEntry(hash, booked.entries, chainName, more)]
    const wasRecovered = await deps.ledger.hasGasRecovery(em, { ...of, hashes })
    if (wasRecovered) entries.push(gasRecoveryCorrectionEntry(hash, booked.entries, more))
    await deps.ledger.book(em, { ...of, at: deps.clock.now() }, ...entries)
  }
  if (signed.legs.length === 0) await deps.ledger.transaction((em) => correct(em, HOUSE, fee.amount))
  for (const legs of Map.groupBy(signed.legs, ({ leg }) => leg.paymentId).values()) {
    const [first] = legs
    if (!first) continue
    const { tenantId, paymentId } = first.leg
    const positions = legs.map(({ leg }) => leg.position)
    const share = feeShare(fee, positions, signed.legs.length)
    await deps.payments.change(tenantId, paymentId, async (_payment, em) => {
      await correct(em, { tenantId, paymentId }, share)
      return undefined
    })
  }
}
