import { divide, isPositive, multiply } from '../../../../kernel/money.js'
import { refundReserveEntry, RESERVE } from '../../model/ledger-entries.js'
import { FIAT_DECIMALS } from '../../model/proportion.js'
import { withholdPayouts } from '../../settlement/withhold-payouts.js'
import type { StoredReceivedPayment } from '../../store/charge.entity.js'
import type { Payout } from '../../store/payout.entity.js'
import { book, type ChargeUpdate } from './application.js'

/**
 * Sets a share of what came aside for the tenant's refunds, where its operator has said so: off the payouts, before anybody
 * can send them. After the conversion is booked. Changes the payouts.
 */
export async function keepReserve(
  update: ChargeUpdate,
  received: StoredReceivedPayment,
  payouts: readonly Payout[],
): Promise<void> {
  const { deps, em, record } = update
  const percent = await deps.refunds.reservePercent(em, received.tenantId)
  if (percent === undefined) return
  const { currency } = record.charge
  const amount = divide(multiply(received.amount, percent), '100', FIAT_DECIMALS)
  if (!isPositive(amount)) return
  const { covered, entries } = withholdPayouts(deps, payouts, { id: RESERVE, amount, currency })
  if (isPositive(covered)) entries.push(refundReserveEntry(received.id, { amount: covered, currency }))
  await book(update, ...entries)
}
