import type { ChargeView } from '../../model/charge.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What looking for a lost attempt needs. */
export type FindLostAttemptDeps = Pick<Stores, 'charges' | 'ledger'>

/** An attempt that the provider knows and we do not. */
export interface LostAttempt {
  reference: string
  attempt: number
  view: ChargeView
}

/** What failed on the way to the processor is tried again each hour of a day (`fail-attempt.ts`): the processor knows none of these. */
const FAILURE_EVERY_MS = 3_600_000
const FAILURES_MAX = 24
/** Attempts in a row of which one may be the payer's by another rail, or one failure on the way. */
const OTHERS = 3

/**
 * Looks for an attempt to charge a payment that the database has lost as it went back to a backup. The provider does not know the request
 * itself again for long, but it knows its reference. Attempts that never reached the provider, or were made by another rail, leave gaps in the
 * numbers, so that more than the next one are asked for, as many as there may have been since the payment was due.
 * @returns the first that is paid or may be still, otherwise the last that came to nothing
 * @throws ProviderError
 */
export async function findLostAttempt(
  { charges, ledger }: FindLostAttemptDeps,
  { adapter }: ChargeRail,
  payment: Pick<Payment, 'tenantId' | 'id'>,
  sinceDueMs: number,
): Promise<LostAttempt | undefined> {
  const newest = await ledger.transaction((em) => charges.newestOf(em, payment))
  // What the provider has answered was no failure on the way, and ends a row of them.
  const isAnswered = newest !== undefined && newest.data !== null
  const unknownMax = unknownInARow(sinceDueMs, isAnswered)
  let found: LostAttempt | undefined
  let attempt = newest?.attempt ?? 0
  for (let unknown = 0; unknown < unknownMax;) {
    attempt += 1
    const reference = adapter.referenceOf(payment.id, attempt)
    const view = await adapter.retrieve(reference)
    unknown = view ? 0 : unknown + 1
    if (view) found = { reference, attempt, view }
    if (view?.status === 'paid' || view?.status === 'open') break
  }
  return found
}

/** How many numbers in a row nobody may know before a lost attempt. Soon after its due date a payment has had one attempt at most. */
function unknownInARow(sinceDueMs: number, isAnswered: boolean): number {
  const failures = Math.min(Math.floor(sinceDueMs / FAILURE_EVERY_MS), FAILURES_MAX)
  if (failures < 1) return 1
  return isAnswered ? OTHERS : failures + OTHERS
}
