import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'
import type { WaitingPayout, WaitingPlace } from '../../store/waiting-payouts.js'

/** What listing the payouts that wait needs. */
export type ListWaitingPayoutsDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'waitingPayouts'> & { arePayoutsPaused: boolean }

/**
 * The payouts of all tenants that have no transaction on its way, and why, the oldest first; or those that have one, which may be cancelled.
 * Throws validation_error.
 */
export async function listWaitingPayouts(
  { clock, waitingPayouts, arePayoutsPaused }: ListWaitingPayoutsDeps,
  request: PageRequest,
  isSending = false,
): Promise<Connection<WaitingPayout>> {
  const { size, after } = readPage(request, readPlace)
  const found = await waitingPayouts.page({ now: clock.now(), isPaused: arePayoutsPaused, isSending }, after, size + 1)
  return connectionOf(found, { size, hasPreviousPage: after !== undefined }, (payout) =>
    [payout.createdAt, payout.paymentId, payout.splitIndex].join(' '),
  )
}

function readPlace(text: string): WaitingPlace | undefined {
  const [, createdAt = '', paymentId = '', splitIndex] =
    /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) (\S{1,100}) (\d{1,6})$/.exec(text) ?? []
  if (Number.isNaN(Date.parse(createdAt))) return undefined
  return { createdAt, paymentId, splitIndex: Number(splitIndex) }
}
