import type { PayoutAction } from '../generated/operations.js'
import type { ShownPayout } from './shown.js'

const OF_TRANSACTION = ['RETRY', 'CANCEL', 'RESOLVE'] as const satisfies PayoutAction[]

/** What nothing holds: it goes on by itself, or once payouts are resumed, and a release would find nothing. */
const UNHELD: readonly ShownPayout['why'][] = ['QUEUED', 'FUNDS', 'SCREENING', 'ANOTHER_TRY']

/** What can be decided about a payout that is not paid; nothing where it only waits. What is on its way can only be stopped. */
export function actionsFor({ why, until, transactionId }: ShownPayout): readonly PayoutAction[] {
  if (why === 'SENDING') return ['CANCEL']
  // Behind a pause the agreed delay may go on, which is known by its end.
  const isHeld = why === 'PAUSED' ? until !== null : !UNHELD.includes(why)
  return [...(isHeld ? (['RELEASE'] as const) : []), ...(transactionId === null ? [] : OF_TRANSACTION)]
}
