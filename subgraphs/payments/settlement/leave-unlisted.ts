import { findToken } from '../../../chains/chain.js'
import type { Payout } from '../store/payout.entity.js'
import type { Treasury } from './treasury.js'

/** When payouts come up again whose token is not on the chain's list. */
const UNLISTED_MS = 15 * 60_000

/**
 * The payouts whose token is on the chain's list. The others wait until it is listed again, an operator is told, and no other payout
 * of the chain waits for them.
 */
export async function leaveUnlisted({ deps, chain }: Treasury, payouts: readonly Payout[]): Promise<readonly Payout[]> {
  const unlisted = payouts.filter(({ symbol }) => !findToken(chain, symbol))
  if (unlisted.length === 0) return payouts
  const notBefore = new Date(deps.clock.now().getTime() + UNLISTED_MS)
  await deps.payouts.reschedule(unlisted, { notBefore, waitsFor: 'another_try' })
  const symbols = [...new Set(unlisted.map(({ symbol }) => symbol))].join(', ')
  const details = `${unlisted.length} payouts wait: ${symbols} is not on the chain's list any more`
  await deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details })
  return payouts.filter((payout) => !unlisted.includes(payout))
}
