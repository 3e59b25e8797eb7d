import { payoutEntry } from '../model/ledger-entries.js'
import type { SignedBatch } from '../store/batches.js'
import type { InterventionResult } from '../store/interventions.js'
import { bookExcess, successOf } from './end-leg.js'
import { forEachHeld, isFound, isOpen } from './held-payouts.js'
import type { Treasury } from './treasury.js'
import { isWithheld } from './withhold-payouts.js'

/**
 * Takes an operator's word that the receivers who are held because of a transaction have their money: by it, though it does
 * not show that, or by another way. They are booked as paid by the treasury; nothing is sent.
 * @param versions all of one transaction
 */
export async function resolveTransaction(
  { deps }: Treasury,
  versions: readonly SignedBatch[],
): Promise<InterventionResult> {
  if (versions.some(isOpen)) return { state: 'refused', result: 'it may still land: cancel it first' }
  const unexpected = versions.find(({ transaction }) => transaction.state === 'unexpected')
  const landed = versions.find(({ transaction }) => transaction.state === 'confirmed')
  const batch = unexpected ?? landed ?? versions[0]
  if (!batch) return { state: 'refused', result: 'there is no such transaction' }
  const { chainName } = batch.transaction
  // One that was found on the chain after a restore has landed, and only whose it is was not known.
  const found = unexpected?.transaction.slot == null ? undefined : unexpected.transaction
  const hash = landed?.transaction.hash ?? found?.hash ?? null
  // Another payout of one that was found may be named later.
  const isShown = found !== undefined || (landed !== undefined && isFound(landed))
  const confirmedAt = deps.clock.now()
  const paid = await forEachHeld(
    deps,
    batch,
    ({ leg, payout }, of) => {
      if (isShown) leg.outcome = 'paid'
      Object.assign(payout, { state: 'confirmed', hash, confirmedAt })
      of.entries.push(payoutEntry(payout.splitIndex, chainName, { amount: payout.amount, currency: payout.symbol }))
      if (hash !== null) bookExcess({ hash, chainName }, leg, payout, of)
    },
    (of) => {
      const areAllPaid = of.payouts.every((one) => one.state === 'confirmed' || isWithheld(one))
      return Promise.resolve(areAllPaid ? successOf(hash, of) : undefined)
    },
  )
  if (found) {
    const block = { number: found.slot ?? 0, hash: null }
    await deps.payouts.endBatch(found, 'confirmed', { at: null, block })
  } else if (unexpected) {
    const { checkAt } = unexpected.transaction
    await deps.payouts.endBatch(unexpected.transaction, 'void', checkAt ? { at: checkAt } : undefined)
  }
  if (paid === 0 && !unexpected) return { state: 'refused', result: 'none of its payouts is held' }
  return { state: 'done', result: `${paid} payouts count as paid` }
}
