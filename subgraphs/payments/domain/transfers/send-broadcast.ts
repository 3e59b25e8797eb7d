import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChain } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { watchDroppedJob } from './transfer-jobs.js'

/** What sending a broadcast needs. */
export type SendBroadcastDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'addJob' | 'broadcasts' | 'payments' | 'pool'>

/** Refusals by a chain that sent nothing: the payment waits for a signature again. */
const REFUSALS = [
  'stale_transaction_nonce',
  'broadcast_rejected',
  'broadcast_simulation_failed',
  'solana_blockhash_expired',
]

/**
 * Has a broadcast sent, once: the holder of its lock asks the chain first where a send may have happened
 * before, sends, and writes it down. Who does not get the lock leaves it to the holder.
 * @throws the chain's refusal, after the payment was given back to its payer
 */
export async function ensureSent(deps: SendBroadcastDeps, onChain: OnChain, broadcast: Broadcast): Promise<void> {
  if (broadcast.state !== 'stored') return
  await withAdvisoryLock(deps.pool, `relay:${broadcast.hash}`, async () => {
    const present = await deps.broadcasts.find(broadcast.tenantId, broadcast.paymentId, broadcast.hash)
    if (present?.state !== 'stored') return
    if (await onChain.isKnown(broadcast.chainName, broadcast.hash)) {
      await deps.broadcasts.mark(broadcast, 'sent')
      return
    }
    await sendOnce(deps, onChain, broadcast)
  })
}

async function sendOnce(deps: SendBroadcastDeps, onChain: OnChain, broadcast: Broadcast): Promise<void> {
  try {
    const sent = await onChain.send(broadcast, () => deps.payments.find(broadcast.tenantId, broadcast.paymentId))
    if (sent === 'sent') await deps.broadcasts.mark(broadcast, 'sent')
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error
    // The wallet may have sent the same payment with other fees, or ours is in a block that this node does not show.
    if (error.code === 'stale_transaction_nonce' && !(await onChain.isReplaced(broadcast.chainName, broadcast.raw))) {
      await deps.broadcasts.mark(broadcast, 'sent')
      return
    }
    await returnToPayer(deps, broadcast, error)
    throw error
  }
}

/** Refusals that rest on what a node knows of the chain. A node that is behind may be wrong: a block may have it still. */
const DOUBTFUL_REFUSALS = ['stale_transaction_nonce', 'solana_blockhash_expired']

/**
 * The chain refused the transaction: the payment takes another signature, or another transaction. Where a node may have
 * been wrong, the transaction is looked for later, so that a second payment does not go unseen.
 */
async function returnToPayer(deps: SendBroadcastDeps, broadcast: Broadcast, refusal: AppError): Promise<void> {
  await deps.payments.change(broadcast.tenantId, broadcast.paymentId, async (payment, em) => {
    if (payment.signedTransaction !== broadcast.raw || payment.status !== 'pending') return undefined
    if (DOUBTFUL_REFUSALS.includes(refusal.code)) await deps.addJob(em, watchDroppedJob(broadcast, deps.clock.now()))
    else await deps.broadcasts.remove(em, broadcast)
    return { change: { signedTransaction: null }, cause: 'broadcast_refused', notify: false }
  })
}
