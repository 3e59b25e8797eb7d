import { withAdvisoryLock } from '../../../kernel/advisory-lock.js'
import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { OnChain } from '../rails/crypto/on-chain.js'
import type { Relay } from '../store/relays.js'
import { watchGivenUpJob } from './payment-jobs.js'

/** Refusals by a chain that sent nothing: the payment waits for a signature again. */
const REFUSALS = [
  'stale_transaction_nonce',
  'broadcast_rejected',
  'broadcast_simulation_failed',
  'solana_blockhash_expired',
]

/**
 * Sees to it that a relay was sent, once: whoever holds its lock asks the chain first where a send may have happened
 * before, sends, and writes it down. Who does not get the lock leaves it to the holder.
 * @throws the chain's refusal, after the payment was given back to its payer
 */
export async function ensureSent(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<void> {
  if (relay.state !== 'stored') return
  await withAdvisoryLock(deps.pool, `relay:${relay.hash}`, async () => {
    const present = await deps.relays.find(relay.tenantId, relay.paymentId, relay.hash)
    if (present?.state !== 'stored') return
    if (await onChain.isKnown(relay.chainName, relay.hash)) {
      await deps.relays.mark(relay, 'sent')
      return
    }
    await sendOnce(deps, onChain, relay)
  })
}

async function sendOnce(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<void> {
  try {
    const sent = await onChain.send(relay, () => deps.payments.find(relay.tenantId, relay.paymentId))
    if (sent === 'sent') await deps.relays.mark(relay, 'sent')
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.includes(error.code)) throw error
    // The wallet may have sent the same payment with other fees, or ours is in a block that this node does not show.
    if (error.code === 'stale_transaction_nonce' && !(await onChain.isReplaced(relay.chainName, relay.raw))) {
      await deps.relays.mark(relay, 'sent')
      return
    }
    await giveBack(deps, relay, error)
    throw error
  }
}

/** Refusals that rest on what a node knows of the chain. A node that is behind may be wrong: a block may have it still. */
const DOUBTFUL_REFUSALS = ['stale_transaction_nonce', 'solana_blockhash_expired']

/**
 * The chain refused the transaction: the payment takes another signature, or another transaction. Where a node may have
 * been wrong, the transaction is looked for later, so that a second payment does not go unseen.
 */
async function giveBack(deps: PaymentsDeps, relay: Relay, refusal: AppError): Promise<void> {
  await deps.payments.change(relay.tenantId, relay.paymentId, async (payment, em) => {
    if (payment.signedTransaction !== relay.raw || payment.status !== 'pending') return undefined
    if (DOUBTFUL_REFUSALS.includes(refusal.code)) await deps.addJob(em, watchGivenUpJob(relay, deps.clock.now()))
    else await deps.relays.remove(em, relay)
    return { change: { signedTransaction: null }, cause: 'broadcast_refused', notify: false }
  })
}
