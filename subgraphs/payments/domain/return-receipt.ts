import { ProviderError } from '../../../kernel/provider-error.js'
import type { PaymentsDeps } from '../deps.js'
import type { StoredReturn } from '../store/charge.entity.js'
import { returnJob, type ReturnJob } from './charge-jobs.js'
import { delayByAge } from './delay-by-age.js'
import { isReturnOver } from './judge-receipt.js'
import { chargeRailOf, lookAtCharge } from './watch-charge.js'

const TRY_AGAIN = { shortestMs: 5_000, longestMs: 900_000 }

/**
 * The job that gives a payer's money back: asked for under an id of ours, so that it goes back once however often the job
 * runs, and followed until the provider says that it is back.
 */
export async function returnReceipt(deps: PaymentsDeps, job: ReturnJob): Promise<void> {
  const { tenantId, rail: railName, receiptId, returnId } = job
  const key = { tenantId, rail: railName, receiptId, id: returnId }
  const returned = await deps.charges.findReturn(key)
  const rail = chargeRailOf(deps, railName)
  const charge = await deps.charges.findByReceipt(railName, receiptId)
  if (!returned || !rail || !charge || isReturnOver(returned)) return
  try {
    await rail.desk.giveBack({ receiptId, returnId, amount: returned.amount })
    // The charge shows the return, and what it shows is booked; there is one place where money is booked.
    await lookAtCharge(deps, rail, charge)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ paymentId: charge.paymentId, receiptId, err: error }, 'money could not be given back yet')
    if (error.kind === 'declined') {
      await deps.alerts.raise({ kind: 'return_refused', subject: receiptId, details: error.message })
    }
  }
  const present = await deps.charges.findReturn(key)
  if (!present) return
  if (present.status === 'refused') {
    await deps.alerts.raise({ kind: 'return_refused', subject: receiptId })
  }
  if (!isReturnOver(present)) await deps.addJobNow(returnJob(present, nextTry(present, deps.clock.now())))
}

function nextTry({ createdAt }: StoredReturn, now: Date): Date {
  return new Date(now.getTime() + delayByAge(createdAt, now, TRY_AGAIN))
}
