import { AppError } from '../../../kernel/errors.js'
import type { Payout } from '../store/payout.entity.js'
import type { Treasury } from './treasury.js'

/** When payouts come up again whose receivers could not be asked about. */
const UNKNOWN_MS = 15_000

/**
 * The payouts whose receivers may be paid. One whose receiver is refused is held for an operator, and what cannot be told
 * now waits: no answer is no permission. What an operator has released is not asked about again.
 */
export async function screenPayouts({ deps, chain }: Treasury, payouts: readonly Payout[]): Promise<readonly Payout[]> {
  const { screen } = deps
  const asked = payouts.filter(({ holdReason }) => holdReason !== 'released')
  if (!screen || asked.length === 0) return payouts
  const receivers = asked.map(({ receiver }) => receiver)
  const refused = await screen.findRefused(chain, receivers).catch((error: unknown) => {
    if (error instanceof AppError) return error
    throw error
  })
  const released = payouts.filter(({ holdReason }) => holdReason === 'released')
  if (refused instanceof AppError) {
    const notBefore = new Date(deps.clock.now().getTime() + UNKNOWN_MS)
    await deps.payouts.reschedule(asked, { notBefore, waitsFor: 'screening' })
    const details = `${asked.length} payouts wait until their receivers can be screened`
    await deps.alerts.raise({ kind: 'screening_failed', subject: chain.name, details })
    return released
  }
  const held = asked.filter(({ receiver }) => refused.has(receiver))
  for (const payout of held) {
    const details = `the wallet of receiver ${payout.splitIndex} is refused on ${chain.name}`
    await deps.alerts.raise({ kind: 'payout_held', subject: payout.paymentId, details })
    await deps.payouts.hold(payout, 'wallet_refused')
  }
  return payouts.filter((payout) => !held.includes(payout))
}
