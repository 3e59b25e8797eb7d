import { sum } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import {
  HOUSE,
  suspenseAccount,
  unmatchedEntry,
  unmatchedReturnEntry,
  unmatchedReturnName,
} from '../../model/house-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import { reportDifference } from '../../settlement/report-difference.js'
import type { Stores } from '../../store/stores.js'

/** The kind of difference that tells of such money. */
export const UNMATCHED = 'unmatched_money'

/** What writing down unmatched money needs. */
export type RecordUnmatchedDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'differences' | 'ledger'>

/**
 * Books money that a provider has received and that belongs to no charge of ours: it stands in suspense until it has gone
 * back, or an operator has explained it. The same again books nothing twice.
 * @param received as the provider itself shows it, never as a callback tells
 */
export async function recordUnmatched(
  deps: RecordUnmatchedDeps,
  rail: string,
  received: ReceivedPayment,
  currency: string,
): Promise<void> {
  const { ledger, differences, clock } = deps
  const about = { ...HOUSE, at: clock.now() }
  await ledger.bookOnce(about, unmatchedEntry(rail, received.id, { amount: received.amount, currency }))
  const subject = `${rail}:${received.id}`
  const { gone, isAny } = await bookReturned(deps, rail, received, currency)
  // An operator may have explained the money before the bank sent it back to its payer: then the way back has to be explained too.
  const explained = isAny ? await ledger.transaction((em) => differences.explained(em, UNMATCHED, subject)) : '0'
  const left = amountOf(unitsOf(received.amount) - unitsOf(gone) - unitsOf(explained))
  if (left === '0') {
    await ledger.transaction((em) => differences.close(em, UNMATCHED, subject))
    return
  }
  const cameAt = `came at ${received.at.toISOString()}`
  const details = left.startsWith('-')
    ? `${cameAt}; ${gone} of it went back to its payer, after an operator had explained it`
    : `${cameAt} and belongs to no charge`
  const found = { kind: UNMATCHED, scope: 'suspense', expected: '0', actual: left } as const
  await reportDifference(deps, { ...found, subject, currency, details })
}

/** Books what has gone back of it. @returns how much in all, and whether anything ever has */
async function bookReturned(
  { ledger, clock }: RecordUnmatchedDeps,
  rail: string,
  received: ReceivedPayment,
  currency: string,
): Promise<{ gone: string; isAny: boolean }> {
  const { id: receiptId, refundedAmount } = received
  const about = { ...HOUSE, at: clock.now() }
  const returned = received.refunds.filter(({ status }) => status === 'done')
  const named = sum(returned.map(({ amount }) => amount))
  if (refundedAmount === undefined) {
    for (const { id, amount } of returned)
      await ledger.bookOnce(about, unmatchedReturnEntry(rail, receiptId, id, { amount, currency }))
    return { gone: named, isAny: returned.length > 0 }
  }
  // The provider tells how much it is in all, and a chargeback that was won is shown no more: what differs from before is booked.
  const gone = sum([named, refundedAmount])
  const isAny = await ledger.transaction(async (em) => {
    const name = unmatchedReturnName(rail, receiptId)
    const booked = await ledger.sumOfNumbered(em, { ...HOUSE, name, account: suspenseAccount(rail) })
    const amount = amountOf(unitsOf(gone) - unitsOf(booked.amount))
    if (amount === '0') return booked.entries > 0
    const entry = unmatchedReturnEntry(rail, receiptId, String(booked.entries + 1), { amount, currency })
    await ledger.book(em, about, entry)
    return true
  })
  return { gone, isAny }
}
