import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { Callback, ChargeView } from '../rails/charge-desk.js'
import { providerEventJob, type ProviderEventJob } from './charge-jobs.js'
import { chargeRailOf, lookAtCharge } from './watch-charge.js'

/** A provider's callback as it came. */
export interface ReceiveCallbackInput extends Callback {
  rail: string
}

/**
 * Keeps what a provider told before anything is made of it, each item once, and has it looked into.
 * @returns how many items were new
 * @throws not_found where the rail is not in use or the address is not the one that the provider was given
 */
export async function receiveCallback(
  deps: PaymentsDeps,
  { rail, ...callback }: ReceiveCallbackInput,
): Promise<number> {
  const items = chargeRailOf(deps, rail)?.desk.readCallback(callback)
  if (!items) throw new AppError('not_found')
  let added = 0
  for (const item of items) {
    const job = providerEventJob({ provider: rail, eventKey: item.eventKey })
    if (await deps.providerEvents.add(rail, item, job)) added += 1
  }
  return added
}

/**
 * The job that looks into an event: whatever it says, the provider is asked before money moves.
 * @throws Error where the provider does not show yet what the event names: the job comes again
 */
export async function processProviderEvent(deps: PaymentsDeps, job: ProviderEventJob): Promise<void> {
  const event = await deps.providerEvents.find(job.provider, job.eventKey)
  const rail = chargeRailOf(deps, job.provider)
  if (!event || event.isProcessed || !rail) return
  const { provider, reference, receiptId } = event
  const byReference = reference === null ? undefined : await deps.charges.findByReference(provider, reference)
  const charge = byReference ?? (receiptId === null ? undefined : await deps.charges.findByReceipt(provider, receiptId))
  if (charge) {
    const view = await lookAtCharge(deps, rail, charge)
    if (receiptId !== null && !shows(view, receiptId)) throw new Error('the provider does not show the money yet')
  }
  await deps.providerEvents.markProcessed(event)
}

function shows(view: ChargeView | undefined, receiptId: string): boolean {
  return view?.receipts.some(({ id }) => id === receiptId) ?? false
}
