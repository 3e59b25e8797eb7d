import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { OnChain } from '../rails/crypto/on-chain.js'
import type { Relay } from '../store/relays.js'
import { confirmOnce, isGivenUp } from './confirm-payment.js'
import { delayByAge } from './delay-by-age.js'
import { again, CONFIRM_PAYMENT, type RelayJob } from './payment-jobs.js'
import { ensureSent } from './relay-transaction.js'

const LOOK_AGAIN = { shortestMs: 1_000, longestMs: 300_000 }

/** Ends that are written down already: there is nothing left for the job to do. */
const ENDS = [
  'payment_failed',
  'invalid_payment_status',
  'stale_transaction_nonce',
  'broadcast_rejected',
  'broadcast_simulation_failed',
  'solana_blockhash_expired',
]

/**
 * A transaction that was sent and that a node does not know after this has fallen out of the pools, or never got into one. To
 * send the same bytes again is harmless, and on Solana there is little time: a blockhash lives some 30 seconds.
 */
const FORGOTTEN_AFTER_MS = 10_000

/** The job that goes on with a relayed transaction until it is final, whatever became of the request that relayed it. */
export async function resumeRelay(deps: PaymentsDeps, job: RelayJob): Promise<void> {
  const relay = await deps.relays.find(job.tenantId, job.paymentId, job.hash)
  if (!relay || relay.state === 'final') return
  const family = deps.settings.chains.find(({ name }) => name === relay.chainName)?.family
  const onChain = family && deps.onChain[family]
  if (!onChain) throw new Error(`the chain ${relay.chainName} is not configured any more`)
  try {
    await ensureSent(deps, onChain, await withForgottenTakenBack(deps, onChain, relay))
    if ((await confirmOnce(deps, onChain, relay)) !== undefined) return
  } catch (error) {
    if (error instanceof AppError && ENDS.includes(error.code)) return
    deps.log.warn({ paymentId: relay.paymentId, err: error }, 'a relayed transaction could not be looked at')
  }
  const now = deps.clock.now()
  await deps.addJobNow(again(CONFIRM_PAYMENT, job, now, delayByAge(relay.createdAt, now, LOOK_AGAIN)))
}

/**
 * A forgotten transaction counts as not sent, so that it is sent again: its nonce lets it pay only once. Long after its
 * quote it is not.
 */
async function withForgottenTakenBack(deps: PaymentsDeps, onChain: OnChain, relay: Relay): Promise<Relay> {
  const ageMs = deps.clock.now().getTime() - relay.createdAt.getTime()
  if (relay.state !== 'sent' || ageMs < FORGOTTEN_AFTER_MS || isGivenUp(deps, ageMs)) return relay
  if (await onChain.isKnown(relay.chainName, relay.hash)) return relay
  await deps.relays.mark(relay, 'stored')
  return { ...relay, state: 'stored' }
}
