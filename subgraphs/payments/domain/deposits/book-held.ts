import type { Transaction } from '../../../../kernel/database.js'
import { heldEntry } from '../../model/house-entries.js'
import type { Money } from '../../model/ledger-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { Alert } from '../../store/alerts.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'

/** What booking what a payment does not take needs. */
export type BookHeldDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'differences' | 'ledger'>

/** Something that lies at a payment's own address and that the payment does not take. */
export interface HeldMoney {
  chainName: string
  /** Of the transaction that brought it. */
  hash: string
  money: Money
  /** Tells an operator. */
  alert: Alert
}

/**
 * Puts what a payment does not take into suspense, once for each transaction, with a difference that an operator resolves.
 * @returns false where it was booked before
 */
export async function bookHeld(
  { clock, differences, ledger }: BookHeldDeps,
  em: Transaction,
  { tenantId, id: paymentId }: Payment,
  { chainName, hash, money, alert }: HeldMoney,
): Promise<boolean> {
  const entry = heldEntry(chainName, hash, money)
  if (await ledger.isBooked(em, { tenantId, paymentId, entry: entry.entry })) return false
  await ledger.book(em, { tenantId, paymentId, at: clock.now() }, entry)
  const found = {
    kind: 'held_deposit',
    subject: `${chainName}:${paymentId}:${hash}`,
    scope: `deposits:${chainName}`,
    expected: '0',
    actual: money.amount,
    currency: money.currency,
    details: `${hash} brought it to the payment's own address, which can pay its receivers alone`,
  } as const
  await differences.report(em, found, () => alertJob(alert))
  return true
}
