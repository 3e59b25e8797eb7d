import type { Chain } from '../../../../chains/chain.js'
import { AppError } from '../../../../kernel/errors.js'
import { backoffByAge } from '../../model/backoff.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChains, SplitSteps, OnChain } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { SPLIT_REFUSALS } from './settle-split.js'

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
    const outcome = await follow(deps, onChain, broadcast).catch((error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    })
    const next = outcome === true ? null : new Date(now.getTime() + backoffByAge(broadcast.createdAt, now, BACKOFF))
    // Before its failure is told: the one that is due first must not keep all others of its chain from their turn.
    await deps.broadcasts.checkAt(broadcast, next)
    if (outcome instanceof AppError) noteFailure(deps, broadcast, outcome)
  }
}

/** A split that cannot be shared out is its own job's to report. @throws what says that the chain cannot be asked now */
function noteFailure({ log }: FollowBroadcastsDeps, { paymentId }: Broadcast, error: AppError): void {
  if (!SPLIT_REFUSALS.includes(error.code)) throw error
  const { code, details } = error
  log.warn(
    { paymentId, errorCode: code, details },
    "a payer's transaction is final, and its split cannot be shared out",
  )
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
