import { sendStored } from '../../../../chains/sender/send-stored.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import type { AppError } from '../../../../kernel/errors.js'
import type { Runtime } from '../../model/runtime.js'
import type { OnChain } from '../../rails/on-chain.js'
import type { Broadcast } from '../../store/broadcasts.js'
import type { Stores } from '../../store/stores.js'
import { watchDroppedJob } from './transfer-jobs.js'

/** What sending a broadcast needs. */
export type SendBroadcastDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'addJob' | 'broadcasts' | 'payments' | 'pool'>

/**
 * Has a broadcast sent, once: the holder of its lock sends it and writes it down. Who does not get the lock leaves it to the
 * holder. What was sent is left alone, unless it `isForgotten`: then it is sent again where the chain does not show it. What its payment
 * does not wait for any more is not sent.
 * @throws the chain's refusal, after the payment was given back to its payer
 */
export async function ensureSent(
  deps: SendBroadcastDeps,
  onChain: OnChain,
  broadcast: Broadcast,
  isForgotten = false,
): Promise<void> {
  const isDue = (state: Broadcast['state'] | undefined) => state === 'stored' || (state === 'sent' && isForgotten)
  if (!isDue(broadcast.state)) return
  await withAdvisoryLock(deps.pool, `relay:${broadcast.hash}`, async () => {
    const present = await deps.broadcasts.find(broadcast.tenantId, broadcast.paymentId, broadcast.hash)
    if (!present || !isDue(present.state)) return
    const payment = await deps.payments.find(present.tenantId, present.paymentId)
    // It was given back to its payer: what is sent now would pay a payment that does not take it.
    if (payment?.signedTransaction !== present.raw) return
    await sendStored({
      ...onChain.sendable(present, () => Promise.resolve(payment)),
      wasSent: present.state === 'sent',
      mayBeSent: present.mayBeSent,
      markSent: () => deps.broadcasts.markSent(present),
      markDoubt: () => deps.broadcasts.markDoubt(present),
      markRefused: (refusal) => returnToPayer(deps, present, refusal),
    })
  })
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
    // It has paid: a refusal that was long on its way says nothing of that.
    if (payment.tidHash != null) return undefined
    if (DOUBTFUL_REFUSALS.includes(refusal.code)) await deps.addJob(em, watchDroppedJob(broadcast, deps.clock.now()))
    else await deps.broadcasts.remove(em, broadcast)
    return { change: { signedTransaction: null }, cause: 'broadcast_refused', notify: false }
  })
}
