import { isPositive, subtract, sum } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import {
  HOUSE,
  matchedEntry,
  suspenseAccount,
  unmatchedEntry,
  unmatchedReturnEntry,
  unmatchedReturnName,
} from '../../model/house-entries.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import { reportIn } from '../../settlement/report-difference.js'
import type { ChargeUpdate } from './application.js'
import { UNMATCHED } from './record-unmatched.js'

/**
 * Money that was booked as nobody's turns out to be a charge's, as after a database that went back to before the charge: what stands
 * in suspense for it is taken out again, as the charge books the money itself, and nobody is asked about it any more. Where a person has
 * explained it before, that has to be taken back by a person too. In the transaction that books the receipt, once.
 */
export async function matchUnmatched(update: ChargeUpdate, received: ReceivedPayment): Promise<void> {
  const { deps, em, record, now } = update
  const { rail, currency, paymentId } = record.charge
  // Who is about to book it as nobody's finds it booked after this transaction, or has booked it before.
  await deps.charges.lockReceived(em, rail, received.id)
  const { entry } = unmatchedEntry(rail, received.id, { amount: received.amount, currency })
  if (!(await deps.ledger.isBooked(em, { ...HOUSE, entry }))) return
  const amount = subtract(received.amount, await returnedOf(update, received))
  // The charge shows what went back of it, and books that too.
  if (isPositive(amount))
    await deps.ledger.book(em, { ...HOUSE, at: now }, matchedEntry(rail, received.id, { amount, currency }))
  const subject = `${rail}:${received.id}`
  const explained = await deps.differences.explained(em, UNMATCHED, subject)
  if (explained === '0') {
    await deps.differences.close(em, UNMATCHED, subject)
    return
  }
  const details = `belongs to the payment ${paymentId}, after an operator had explained it`
  const found = { kind: UNMATCHED, scope: 'suspense', expected: '0', actual: amountOf(-unitsOf(explained)) } as const
  await reportIn(deps, em, { ...found, subject, currency, details })
}

/** What was booked as gone back of it while it was nobody's; a decimal string. */
async function returnedOf({ deps: { ledger }, em, record }: ChargeUpdate, received: ReceivedPayment): Promise<string> {
  const { rail, currency } = record.charge
  const { id: receiptId, refundedAmount, refunds } = received
  if (refundedAmount !== undefined) {
    const name = unmatchedReturnName(rail, receiptId)
    return (await ledger.sumOfNumbered(em, { ...HOUSE, name, account: suspenseAccount(rail) })).amount
  }
  const booked: string[] = []
  for (const { id, amount } of refunds) {
    const { entry } = unmatchedReturnEntry(rail, receiptId, id, { amount, currency })
    if (await ledger.isBooked(em, { ...HOUSE, entry })) booked.push(amount)
  }
  return sum(booked)
}
