import { sum } from '../../../../kernel/money.js'
import type { ReceivedPayment } from '../../model/charge.js'
import { HOUSE, unmatchedEntry, unmatchedReturnEntry } from '../../model/house-entries.js'
import type { Runtime } from '../../model/runtime.js'
import { amountOf, unitsOf } from '../../model/signed-amount.js'
import { reportDifference } from '../../settlement/report-difference.js'
import type { Stores } from '../../store/stores.js'

const KIND = 'unmatched_money'

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
  const subject = `${rail}:${received.id}`
  const gone = sum(returned.map(({ amount }) => amount))
  // Of what has gone back a person may have said before whose it is: that has to be said again, the other way round.
  const isAny = returned.length > 0
  const explained = isAny ? await ledger.transaction((em) => differences.explained(em, KIND, subject)) : '0'
  const left = amountOf(unitsOf(received.amount) - unitsOf(gone) - unitsOf(explained))
  if (left === '0') {
    await ledger.transaction((em) => differences.close(em, KIND, subject))
    return
  }
  const cameAt = `came at ${received.at.toISOString()}`
  const details = left.startsWith('-')
    ? `${cameAt}; ${gone} of it went back, of which somebody had said whose it is`
    : `${cameAt} and belongs to no charge`
  const found = { kind: KIND, scope: 'suspense', expected: '0', actual: left } as const
  await reportDifference(deps, { ...found, subject, currency, details })
}
