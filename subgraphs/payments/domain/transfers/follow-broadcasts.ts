import type { Chain } from '../../../../chains/chain.js'
import { backoffByAge } from '../../model/backoff.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains, SplitSteps, OnChain } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'

/** What following broadcasts to finality needs. */
export type FollowBroadcastsDeps = OnChains &
  SplitSteps &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'alerts' | 'broadcasts' | 'payments'>

const BACKOFF = { shortestMs: 5_000, longestMs: 300_000 }
const BATCH = 100

/**
 * Looks again at payers' transactions whose payments were told that they are paid, until their blocks are final. One that
 * the chain has dropped is sent again in the same bytes; where those can never land, an operator is told. What a split's
 * address holds by then is shared out again.
 */
export async function followBroadcasts(deps: FollowBroadcastsDeps, chain: Chain): Promise<void> {
  const onChain = deps.onChain[chain.family]
  if (!onChain) return
  const now = deps.clock.now()
  for (const broadcast of await deps.broadcasts.findUnfinal(chain.name, now, BATCH)) {
    const isOver = await follow(deps, onChain, broadcast)
    const next = isOver ? null : new Date(now.getTime() + backoffByAge(broadcast.createdAt, now, BACKOFF))
    await deps.broadcasts.checkAt(broadcast, next)
  }
}

async function follow(deps: FollowBroadcastsDeps, onChain: OnChain, broadcast: Broadcast): Promise<boolean> {
  const payment = await deps.payments.find(broadcast.tenantId, broadcast.paymentId)
  if (payment?.signedTransaction !== broadcast.raw) return true
  const fate = await onChain.finalityOf(broadcast, payment.tidHash ?? broadcast.hash)
  if (fate === 'waiting') return false
  if (fate === 'final') {
    // Its money may have come after the block in which a dropped distribution ran.
    const isShared = onChain.settlementOf(payment).kind !== 'split' || (await deps.settleStep(payment)).kind === 'done'
    return isShared
  }
  if (fate === 'replaced') {
    const details = `${broadcast.hash} paid and is no longer on ${broadcast.chainName}: another transaction took its nonce`
    await deps.alerts.raise({ kind: 'payment_undone', subject: broadcast.paymentId, details })
    return true
  }
  deps.log.warn(
    { paymentId: broadcast.paymentId, hash: broadcast.hash },
    "a payer's transaction is missing and sent again",
  )
  await onChain.sendAgain(broadcast)
  return false
}
