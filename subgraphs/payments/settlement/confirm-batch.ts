import type { Transaction } from '../../../kernel/database.js'
import { isPositive, subtract } from '../../../kernel/money.js'
import { HOUSE } from '../model/house-entries.js'
import { feeCorrectionEntry, feeEntry, gasRecoveryCorrectionEntry, gasRecoveryEntry } from '../model/ledger-entries.js'
import type { SignedBatch } from '../store/batches.js'
import type { Stores } from '../store/stores.js'
import { endAnew, undoLegs, UNKNOWN } from './changed-legs.js'
import { endLeg, endPayment, mayBeDropped, type ConfirmedBatch, type FailedBatch } from './end-leg.js'
import { feeShare } from './fee-shares.js'
import { forEachPayment, stopIfChargedBack, tellOnce, type FinishBatchDeps, type PaymentLegs } from './finish-batch.js'
import type { ChainFee, LegResult } from './payout-chain.js'

/** What writing down a batch that landed needs. */
export type ConfirmBatchDeps = FinishBatchDeps & Pick<Stores, 'landed'>

/** A transaction in a block, and what it has cost there. */
interface LandedBatch {
  signed: SignedBatch
  fee: ChainFee
}

/** When the chain is first asked whether it still has a transaction that was called confirmed. */
const FOLLOW_AGAIN_MS = 5_000

/**
 * Writes down what a batch that landed did: who was paid, with the ledger entries; with its last receiver a payment succeeds.
 * A second time it changes nothing. Who was not paid waits for another transaction, once the block is final: on another branch
 * this one may pay him still (`unpaid-legs`). Where another transaction has paid a receiver before, an operator is told.
 */
export async function confirmBatch(deps: ConfirmBatchDeps, landed: ConfirmedBatch): Promise<void> {
  const { transaction } = landed.signed
  let ended = 0
  await forEachPayment(deps, landed.signed, (of) => {
    ended += of.legs.length
    for (const leg of of.legs) endLeg(deps, landed, of, leg, landed.results[leg.position] ?? UNKNOWN)
    bookFee(landed, of)
    return endPayment(deps, landed, of)
  })
  const unproven = landed.results.find(({ outcome }) => outcome === 'unproven') ?? missingResult(landed)
  if (unproven) await tellOnce(deps, 'payout_unexpected', transaction, `landed: ${unproven.reason ?? ''}`)
  const areHeld = transaction.cancelledAt !== null && !mayBeDropped(landed)
  if (areHeld && landed.results.some(({ outcome }) => outcome === 'unpaid'))
    await tellOnce(deps, 'payout_held', transaction, 'was cancelled and has left receivers out')
  await bookOwnFee(deps, landed)
  // A run that died may have seen it in a block that was dropped since, at another price and with other receivers paid.
  if (ended < landed.signed.legs.length) {
    await correctVersionsFee(deps, landed)
    await endAnew(deps, landed)
  }
  // What is in a block that is not dropped any more is final.
  const at = new Date(deps.clock.now().getTime() + FOLLOW_AGAIN_MS)
  const later = landed.block && { at: landed.block.hash === null ? null : at, block: landed.block }
  await deps.payouts.endBatch(transaction, 'confirmed', later)
}

/**
 * Lets the payouts of a batch that landed and moved nothing wait for another one; the gas is gone. An operator's cancellation
 * holds them.
 */
export async function retryBatch(deps: ConfirmBatchDeps, landed: FailedBatch): Promise<void> {
  const { chainName, hash, cancelledAt } = landed.signed.transaction
  const reason = `${hash} moved nothing on ${chainName}`
  let ended = 0
  await forEachPayment(deps, landed.signed, (of) => {
    ended += of.legs.length
    for (const leg of of.legs) endLeg(deps, landed, of, leg, { outcome: 'unpaid', reason })
    bookFee(landed, of)
    return stopIfChargedBack(deps, of)
  })
  if (cancelledAt) await tellOnce(deps, 'payout_held', landed.signed.transaction, 'was cancelled and moved nothing')
  await bookOwnFee(deps, landed)
  // A run that died may have ended some by a block that was dropped since.
  if (ended < landed.signed.legs.length) {
    await correctVersionsFee(deps, landed)
    await undoLegs(deps, landed.signed, { isProvenUnpaid: true, reason: 'it moved nothing in another block' })
  }
  await deps.payouts.endBatch(landed.signed.transaction, 'failed')
}

/**
 * Books what a batch has cost that was called dropped and has landed after all, and moved nothing. What became of its payouts
 * meanwhile stays. A second time it books nothing.
 */
export async function bookFailed(deps: FinishBatchDeps, landed: FailedBatch): Promise<void> {
  await forEachPayment(deps, landed.signed, (of) => {
    for (const leg of of.legs) leg.outcome = 'unpaid'
    bookFee(landed, of)
    return Promise.resolve(undefined)
  })
  await bookOwnFee(deps, landed)
}

function missingResult({ signed, results }: ConfirmedBatch): LegResult | undefined {
  return signed.legs.every(({ leg }) => results[leg.position]) ? undefined : UNKNOWN
}

/** The payment's part of the gas. */
function bookFee({ signed, fee }: LandedBatch, { legs, entries, bearsGas }: PaymentLegs): void {
  const positions = legs.map(({ position }) => position)
  const amount = feeShare(fee, positions, signed.legs.length)
  const { hash, chainName } = signed.transaction
  if (!isPositive(amount)) return
  const money = { amount, currency: fee.currency }
  entries.push(feeEntry(hash, chainName, money))
  if (bearsGas) entries.push(gasRecoveryEntry(hash, money))
}

/** The gas of a transaction that prepares the account for batches, and pays nobody. A second time it books nothing. */
async function bookOwnFee({ ledger, clock }: FinishBatchDeps, { signed, fee }: LandedBatch): Promise<void> {
  if (signed.legs.length > 0 || !isPositive(fee.amount)) return
  const { hash, chainName } = signed.transaction
  await ledger.bookOnce({ ...HOUSE, at: clock.now() }, feeEntry(hash, chainName, fee))
}

async function correctVersionsFee(deps: ConfirmBatchDeps, landed: LandedBatch): Promise<void> {
  const versions = await deps.landed.findVersions(landed.signed.transaction)
  const hashes = versions.map(({ transaction }) => transaction.hash)
  await correctFee(deps, hashes, landed)
}

/**
 * Books what a batch has cost in the block that holds it now: a reorganisation gave it another one, or let another version
 * of it land. Booked again it changes nothing.
 * @param hashes of all versions of the transaction: the fee may have been booked for any of them
 */
export async function correctFee(
  deps: FinishBatchDeps,
  hashes: readonly string[],
  { signed, fee }: LandedBatch,
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
