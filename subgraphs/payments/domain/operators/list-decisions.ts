import { connectionOf, readPage, type Connection, type PageRequest } from '../../../../kernel/connection.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'
import { proposed, type PayoutDecision } from './decide-on-payout.js'
import { PROPOSAL_LIFE_MS } from './two-people.js'

/** Names the list in its cursors. */
const LIST = 'decision'

/** What listing decisions needs. */
export type ListDecisionsDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'interventions' | 'proposals'>

export const PROPOSALS_MAX = 100

/** What has been decided about payouts, by whom, and what came of it, the newest first. Throws validation_error. */
export async function listDecisions(
  { interventions }: ListDecisionsDeps,
  request: PageRequest,
): Promise<Connection<PayoutDecision>> {
  const { size, after } = readPage(request, (text) => (/^\w{1,40}$/.test(text) ? text : undefined), LIST)
  const found = await interventions.page(after, size + 1)
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ id }) => id)
}

/** What waits for a second operator, the newest first, at most 100: each is gone after a day. */
export async function listProposals({ clock, proposals }: ListDecisionsDeps): Promise<PayoutDecision[]> {
  const since = new Date(clock.now().getTime() - PROPOSAL_LIFE_MS)
  return (await proposals.list(since, PROPOSALS_MAX)).map(proposed)
}
