import { AppError } from '../../../../kernel/errors.js'
import type { ChargeView } from '../../model/charge.js'
import type { Callback } from '../../model/provider-callback.js'
import { isRefundOver } from '../../model/refund-rules.js'
import { chargeRailOf, type Rails } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { ProviderEvent } from '../../store/provider-events.js'
import type { Stores } from '../../store/stores.js'
import { providerEventJob, type ProviderEventJob } from './charge-jobs.js'
import { adoptCharge } from './adopt-charge.js'
import type { CreateChargeDeps } from './new-charge.js'
import { recordUnmatched, type RecordUnmatchedDeps } from './record-unmatched.js'
import { syncCharge } from './sync-charge.js'

/** What keeping a callback needs. */
export type ReceiveCallbackDeps = Rails & Pick<Stores, 'providerEvents'>

/** What looking into a provider's event needs. */
export type ProcessProviderEventDeps = CreateChargeDeps & ReceiveCallbackDeps & RecordUnmatchedDeps

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
  deps: ReceiveCallbackDeps,
  { rail, ...callback }: ReceiveCallbackInput,
): Promise<number> {
  const items = chargeRailOf(deps, rail)?.adapter.readCallback(callback)
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
 * @throws Error where the provider does not show yet what the event names, or its rail is not in use: the job comes again
 */
export async function processProviderEvent(deps: ProcessProviderEventDeps, job: ProviderEventJob): Promise<void> {
  const event = await deps.providerEvents.find(job.provider, job.eventKey)
  const rail = chargeRailOf(deps, job.provider)
  if (!event || event.isProcessed) return
  if (!rail) throw new Error(`the rail ${job.provider} is not in use`)
  const { provider, reference, receiptId } = event
  const byReference = reference === null ? undefined : await deps.charges.findByReference(provider, reference)
  const charge =
    byReference ?? (receiptId === null ? undefined : await deps.charges.findByReceivedPayment(provider, receiptId))
  if (charge) {
    const view = await syncCharge(deps, rail, charge)
    if (receiptId !== null && !shows(view, receiptId)) throw new Error('the provider does not show the money yet')
    if (isOlder(view, event, deps.clock.now())) throw new Error('the provider does not show the change yet')
  } else {
    await lookForUnmatched(deps, rail, { reference, receiptId })
  }
  await deps.providerEvents.markProcessed(event)
}

/**
 * An event that names no charge of ours: where the provider shows money behind it, that is written down. What the provider shows may name
 * the charge all the same, whose money it is then.
 * @throws Error where the charge does not show the money yet
 */
async function lookForUnmatched(
  deps: ProcessProviderEventDeps,
  rail: ChargeRail,
  { reference, receiptId }: { reference: string | null; receiptId: string | null },
): Promise<void> {
  const { name, adapter } = rail
  const named = receiptId === null ? undefined : await adapter.findReceived?.(receiptId)
  const charge = named?.reference === undefined ? undefined : await deps.charges.findByReference(name, named.reference)
  if (named && charge) {
    if (!shows(await syncCharge(deps, rail, charge), named.received.id))
      throw new Error('the provider does not show the money yet')
    return
  }
  const lost = named?.reference ?? reference
  const adopted = lost === null ? undefined : await adoptCharge(deps, rail, lost)
  if (adopted) {
    if (receiptId !== null && !shows(await syncCharge(deps, rail, adopted), receiptId))
      throw new Error('the provider does not show the money yet')
    return
  }
  const shown = reference === null || named ? undefined : await adapter.retrieve(reference)
  for (const received of named ? [named.received] : (shown?.receivedPayments ?? [])) {
    await recordUnmatched(deps, name, received, adapter.currency)
  }
}

/** Whatever a provider shows counts after this: what was told wrongly is not looked into for good. */
const EXPECTED_FOR_MS = 24 * 3_600_000

/** Whether an answer is older than what an event tells of. */
function isOlder(view: ChargeView | undefined, event: ProviderEvent, now: Date): boolean {
  const { expected, receiptId, receivedAt } = event
  if (!view || expected === null || now.getTime() - receivedAt.getTime() > EXPECTED_FOR_MS) return false
  const { changedAt, refunds = [] } = expected
  if (changedAt !== undefined && isBefore(view, new Date(changedAt))) return true
  const shown = view.receivedPayments.find(({ id }) => id === receiptId)?.refunds ?? []
  return refunds.some((told) => {
    const refund = shown.find(({ id }) => id === told.id)
    return !refund || (isRefundOver(told) && !isRefundOver(refund))
  })
}

/**
 * Whether an answer is from before a change. To the second: of a provider's times, which are by one clock, those of callbacks may have
 * fractions that those of answers have not. What shows no money, or does not say when it has changed, is not.
 */
function isBefore({ receivedPayments }: ChargeView, changedAt: Date): boolean {
  const shown = receivedPayments.map((received) => received.changedAt?.getTime() ?? Infinity)
  return shown.length > 0 && Math.floor(Math.max(...shown) / 1000) < Math.floor(changedAt.getTime() / 1000)
}

function shows(view: ChargeView | undefined, receiptId: string): boolean {
  return view?.receivedPayments.some(({ id }) => id === receiptId) ?? false
}
