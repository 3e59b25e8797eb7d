import type { Transaction } from '../../../../kernel/database.js'
import { compare } from '../../../../kernel/money.js'
import type { Person } from '../../../../kernel/tenant.js'
import type { Runtime } from '../../model/runtime.js'
import type { Proposal, SymbolAmount } from '../../store/proposals.js'
import type { Stores } from '../../store/stores.js'

/** How long a proposal waits for another person. */
export const PROPOSAL_LIFE_MS = 24 * 3_600_000

/** What the rule of two people needs. */
export type TwoPeopleDeps = Pick<Runtime, 'clock'> &
  Pick<Stores, 'proposals'> & {
    /** Above which sum of a currency an act about payouts needs a second operator; decimal strings by symbol. */
    twoPeopleAbove: Readonly<Record<string, string>>
  }

/** Whether an act may be carried out: `proposedBy` names the other person, where two were needed. */
export type Agreement = { isAgreed: true; proposedBy: string | null } | { isAgreed: false; proposal: Proposal }

/**
 * Whether an act about payouts may be carried out. Above the set sum the first person's act is written down as a proposal, and
 * the same act of another person within a day carries it out; the first person's again changes nothing.
 * @param em of the transaction that carries it out
 */
export async function agree(
  { clock, proposals, twoPeopleAbove }: TwoPeopleDeps,
  em: Transaction,
  operator: Person,
  act: Pick<Proposal, 'action' | 'subject' | 'reason'>,
): Promise<Agreement> {
  const isAbove = ({ symbol, amount }: SymbolAmount): boolean => {
    const bound = twoPeopleAbove[symbol]
    return bound !== undefined && compare(amount, bound) > 0
  }
  if (!(await proposals.amountsOf(em, act)).some(isAbove)) return { isAgreed: true, proposedBy: null }
  const proposedAt = clock.now()
  const since = new Date(proposedAt.getTime() - PROPOSAL_LIFE_MS)
  const own: Proposal = { ...act, proposedBy: operator.id, proposerEmail: operator.email, proposedAt }
  const taken = await proposals.take(em, own, since)
  if (taken) return { isAgreed: true, proposedBy: taken.proposerEmail }
  return { isAgreed: false, proposal: await proposals.propose(em, own, since) }
}
