import { AppError, validationError } from '../../../../kernel/errors.js'
import type { Transaction } from '../../../../kernel/database.js'
import {
  correctedBalanceEntry,
  explainedEntry,
  GAS_PAYER_PLACE,
  sharedOutEntry,
  HOUSE,
} from '../../model/house-entries.js'
import type { LedgerEntry } from '../../model/ledger-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import type { ResolvedDifference } from '../../store/differences.js'
import type { Stores } from '../../store/stores.js'

/** What resolving a difference needs. */
export type ResolveDifferenceDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'differences' | 'ledger'>

/** Whose the money of a difference is; `bank`: a tenant's, which paid it in for refunds (see `fund-refunds`). */
export type MoneyOwner = 'owner' | 'loss' | 'bank'

/** What a person says about a difference. */
export interface Resolution {
  id: string
  reason: string
  by: string
  /** Needed where money stands in suspense for it, or a balance differs; has no meaning otherwise. */
  as: MoneyOwner | undefined
}

/** Those whose money stands in suspense. */
const IN_SUSPENSE = ['unmatched_money', 'unknown_transfer', 'paid_twice', 'payout_missing']

/**
 * Closes a difference for a person's reason, and books whose the money is.
 * @returns the name of the entry that was booked, null where none was
 * @throws not_found where none of this id is open, validation_error on `as`, also where a balance may have been put right by what was
 *   booked since it was compared; nothing is changed then
 */
export function resolveDifference(
  { differences, ledger, clock }: ResolveDifferenceDeps,
  { id, reason, by, as }: Resolution,
): Promise<string | null> {
  return ledger.transaction(async (em: Transaction) => {
    const resolved = await differences.resolve(em, id, { by, reason })
    if (!resolved) throw new AppError('not_found', { message: 'No difference of this id is open.' })
    if (await isOld(differences, em, resolved))
      throw wrong('has to wait: the books have changed since this was found, so compare them again first (reconcile)')
    const entry = entryOf(`${id}:${resolved.foundMs}`, resolved, as)
    if (entry) await ledger.book(em, { ...HOUSE, at: clock.now() }, entry)
    return entry?.entry ?? null
  })
}

/** A balance is corrected by what it differed by: what was booked since may have mended that. */
async function isOld(
  differences: ResolveDifferenceDeps['differences'],
  em: Transaction,
  { kind, subject, expected, currency, seenAt }: ResolvedDifference,
): Promise<boolean> {
  if (kind !== 'wrong_balance') return false
  const { chainName, account } = accountOf(subject)
  const compared = { chainName, account, currency: currency ?? '', expected: expected ?? '0', seenAt }
  return differences.isBookedSince(em, compared)
}

/** The account of the ledger that a wrong balance is about. */
function accountOf(subject: string): { chainName: string; account: string } {
  const [chainName = '', , holder] = subject.split(':')
  return { chainName, account: holder === GAS_PAYER_PLACE ? `gas-payer:${chainName}` : `treasury:${chainName}` }
}

function entryOf(name: string, resolved: ResolvedDifference, as: MoneyOwner | undefined): LedgerEntry | undefined {
  const { kind, subject, expected, actual, currency } = resolved
  const [place = ''] = subject.split(':')
  const isSuspense = IN_SUSPENSE.includes(kind)
  if (!isSuspense && kind !== 'wrong_balance') {
    if (as !== undefined) throw wrong(`has no meaning for ${kind}`)
    if (kind === 'held_deposit') return sharedOutEntry(name, place, { amount: actual ?? '0', currency: currency ?? '' })
    return undefined
  }
  if (as === undefined) throw wrong('is needed: whose is the money, owner, loss or bank?')
  const to = as === 'loss' ? 'loss:payout' : as
  if (kind === 'wrong_balance') {
    const amount = amountOf(unitsOf(actual ?? '0') - unitsOf(expected ?? '0'))
    return correctedBalanceEntry(name, accountOf(subject).account, to, { amount, currency: currency ?? '' })
  }
  // A payout that is missing has left its amount with the treasury.
  const amount = kind === 'payout_missing' ? (expected ?? '0') : (actual ?? '0')
  return explainedEntry(name, place, to, { amount, currency: currency ?? '' })
}

function wrong(message: string): AppError {
  return validationError([{ field: 'as', message }])
}
