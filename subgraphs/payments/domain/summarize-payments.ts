import { validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { Runtime } from '../model/runtime.js'
import type { PaymentSummary } from '../store/payment-summaries.js'
import type { Stores } from '../store/stores.js'

export const DAYS_MAX = 92
const DAY_MS = 86_400_000

/** What a summary needs. */
export type SummarizePaymentsDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'summaries'>

/** Times are ISO 8601, and the end, by default now, is not part of it. */
export interface SummarizePaymentsInput {
  from: string
  to?: string | null
}

/**
 * What the payments registered in a time come to: by day, by method, why they failed, how long they took.
 * @throws validation_error on `to`: it is before `from`, or more than 92 days after it
 */
export async function summarizePayments(
  { summaries, clock }: SummarizePaymentsDeps,
  tenant: Tenant,
  { from, to }: SummarizePaymentsInput,
): Promise<PaymentSummary> {
  const [start, end] = [new Date(from), to == null ? clock.now() : new Date(to)]
  if (end < start) throw validationError([{ field: 'to', message: 'must not be before from' }])
  if (end.getTime() - start.getTime() > DAYS_MAX * DAY_MS)
    throw validationError([{ field: 'to', message: `must be at most ${DAYS_MAX} days after from` }])
  return summaries.between(tenant.id, start, end)
}
