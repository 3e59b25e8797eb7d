import type { Chain } from '../../../chains/chain.js'
import type { PaymentsDeps } from '../deps.js'
import type { Relay } from '../store/relays.js'
import { delayByAge } from './delay-by-age.js'

const LOOK_AGAIN = { shortestMs: 5_000, longestMs: 300_000 }
const BATCH = 100

/**
 * Looks again at payers' transactions whose payments were told that they are paid, until their blocks are final. One that
 * the chain has dropped is sent again in the same bytes; where those can never land, an operator is told. What a split's
 * address holds by then is shared out again.
 */
export async function followRelays(deps: PaymentsDeps, chain: Chain): Promise<void> {
  const onChain = deps.onChain[chain.family]
  if (!onChain) return
  const now = deps.clock.now()
  for (const relay of await deps.relays.findUnfinal(chain.name, now, BATCH)) {
    const isOver = await follow(deps, onChain, relay)
    const next = isOver ? null : new Date(now.getTime() + delayByAge(relay.createdAt, now, LOOK_AGAIN))
    await deps.relays.checkAt(relay, next)
  }
}

async function follow(
  deps: PaymentsDeps,
  onChain: NonNullable<PaymentsDeps['onChain'][Chain['family']]>,
  relay: Relay,
): Promise<boolean> {
  const payment = await deps.payments.find(relay.tenantId, relay.paymentId)
  if (payment?.signedTransaction !== relay.raw) return true
  const fate = await onChain.fateOf(relay, payment.tidHash ?? relay.hash)
  if (fate === 'waiting') return false
  if (fate === 'final') {
    // Its money may have come after the block in which a dropped distribution ran.
    const isShared = onChain.settlementOf(payment).kind !== 'split' || (await deps.settleStep(payment)) === 'done'
    return isShared
  }
  if (fate === 'replaced') {
    const details = `${relay.hash} paid and is no longer on ${relay.chainName}: another transaction took its nonce`
    await deps.alerts.raise({ kind: 'payment_undone', subject: relay.paymentId, details })
    return true
  }
  deps.log.warn({ paymentId: relay.paymentId, hash: relay.hash }, "a payer's transaction is missing and sent again")
  await onChain.sendAgain(relay)
  return false
}
