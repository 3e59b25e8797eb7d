import { subtract, sum } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import { HOUSE, unmatchedEntry, unmatchedReturnEntry } from '../../model/house-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { reportDifference } from '../../settlement/report-difference.js'
import type { Stores } from '../../store/stores.js'

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
  const returned = received.refunds.filter(({ status }) => status === 'done')
  for (const { id, amount } of returned) {
    await ledger.bookOnce(about, unmatchedReturnEntry(rail, received.id, id, { amount, currency }))
  }
  const left = subtract(received.amount, sum(returned.map(({ amount }) => amount)))
  const subject = `${rail}:${received.id}`
  if (left === '0') {
    await ledger.transaction((em) => differences.close(em, 'unmatched_money', subject))
    return
  }
  const details = `came at ${received.at.toISOString()} and belongs to no charge`
  const found = { kind: 'unmatched_money', scope: 'suspense', expected: '0', actual: left } as const
  await reportDifference(deps, { ...found, subject, currency, details })
}
