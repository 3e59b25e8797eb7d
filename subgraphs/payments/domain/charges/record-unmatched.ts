import type { Transaction } from '../../../../kernel/database.js'
import { sum } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import {
  HOUSE,
  suspenseAccount,
  unmatchedEntry,
  unmatchedReturnEntry,
  unmatchedReturnName,
} from '../../model/house-entries.js'
import type { LedgerEntry } from '../../model/ledger-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import { reportIn } from '../../settlement/report-difference.js'
import type { Stores } from '../../store/stores.js'

/** The kind of difference that tells of such money. */
export const UNMATCHED = 'unmatched_money'

/** What writing down unmatched money needs. */
export type RecordUnmatchedDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'charges' | 'differences' | 'ledger'>

/**
 * Books money that a provider has received and that belongs to no charge of ours: it stands in suspense until it has gone
 * back, or an operator has explained it. The same again books nothing twice, and what a charge of ours has booked meanwhile nothing at all.
 * @param received as the provider itself shows it, never as a callback tells
 */
export async function recordUnmatched(
  deps: RecordUnmatchedDeps,
  rail: string,
  received: ReceivedPayment,
  currency: string,
): Promise<void> {
  await deps.ledger.transaction(async (em) => {
    await deps.charges.lockReceived(em, rail, received.id)
    if (await deps.charges.isReceived(em, rail, received.id)) return
    await recordIn(deps, em, { rail, received, currency })
  })
}

/** Money of nobody, under its lock. */
interface Unmatched {
  rail: string
  received: ReceivedPayment
  currency: string
}

async function recordIn(deps: RecordUnmatchedDeps, em: Transaction, unmatched: Unmatched): Promise<void> {
  const { differences } = deps
  const { rail, received, currency } = unmatched
  await bookOnce(deps, em, unmatchedEntry(rail, received.id, { amount: received.amount, currency }))
  const subject = `${rail}:${received.id}`
  const { gone, isAny } = await bookReturned(deps, em, unmatched)
  // An operator may have explained the money before the bank sent it back to its payer: then the way back has to be explained too.
  const explained = isAny ? await differences.explained(em, UNMATCHED, subject) : '0'
  const left = amountOf(unitsOf(received.amount) - unitsOf(gone) - unitsOf(explained))
  if (left === '0') {
    await differences.close(em, UNMATCHED, subject)
    return
  }
  const cameAt = `came at ${received.at.toISOString()}`
  const details = left.startsWith('-')
    ? `${cameAt}; ${gone} of it went back to its payer, after an operator had explained it`
    : `${cameAt} and belongs to no charge`
  const found = { kind: UNMATCHED, scope: 'suspense', expected: '0', actual: left } as const
  await reportIn(deps, em, { ...found, subject, currency, details })
}

/** Books what has gone back of it. @returns how much in all, and whether anything ever has */
async function bookReturned(
  deps: RecordUnmatchedDeps,
  em: Transaction,
  { rail, received, currency }: Unmatched,
): Promise<{ gone: string; isAny: boolean }> {
  const { ledger, clock } = deps
  const { id: receiptId, refundedAmount } = received
  const returned = received.refunds.filter(({ status }) => status === 'done')
  const named = sum(returned.map(({ amount }) => amount))
  if (refundedAmount === undefined) {
    for (const { id, amount } of returned)
      await bookOnce(deps, em, unmatchedReturnEntry(rail, receiptId, id, { amount, currency }))
    return { gone: named, isAny: returned.length > 0 }
  }
  // The provider tells how much it is in all, and a chargeback that was won is shown no more: what differs from before is booked.
  const gone = sum([named, refundedAmount])
  const name = unmatchedReturnName(rail, receiptId)
  const booked = await ledger.sumOfNumbered(em, { ...HOUSE, name, account: suspenseAccount(rail) })
  const amount = amountOf(unitsOf(gone) - unitsOf(booked.amount))
  if (amount === '0') return { gone, isAny: booked.entries > 0 }
  const entry = unmatchedReturnEntry(rail, receiptId, String(booked.entries + 1), { amount, currency })
  await ledger.book(em, { ...HOUSE, at: clock.now() }, entry)
  return { gone, isAny: true }
}

async function bookOnce({ ledger, clock }: RecordUnmatchedDeps, em: Transaction, entry: LedgerEntry): Promise<void> {
  if (await ledger.isBooked(em, { ...HOUSE, entry: entry.entry })) return
  await ledger.book(em, { ...HOUSE, at: clock.now() }, entry)
}
