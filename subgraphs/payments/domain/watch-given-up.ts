import { AppError } from '../../../kernel/errors.js'
import type { PaymentsDeps } from '../deps.js'
import type { Relay } from '../store/relays.js'
import { delayByAge } from './delay-by-age.js'
import { storeRelay } from './execute-on-chain.js'
import { again, WATCH_GIVEN_UP, type RelayJob } from './payment-jobs.js'
import { findSignedVersion } from './signed-version.js'

const LOOK_AGAIN = { shortestMs: 300_000, longestMs: 6 * 3_600_000 }
/** After that a block hardly takes it any more. */
const WATCH_MS = 30 * 24 * 3_600_000

/**
 * The job that looks whether a block takes a transaction after all that was given up: whoever has a signed transaction can
 * send it. It pays the payment then; where that was paid by another, the payer has paid twice, and an operator is told.
 */
export async function watchGivenUp(deps: PaymentsDeps, job: RelayJob): Promise<void> {
  const relay = await deps.relays.find(job.tenantId, job.paymentId, job.hash)
  if (!relay) return
  const isOver = await recognise(deps, relay).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ paymentId: job.paymentId, err: error }, 'a transaction that was given up could not be looked at')
    return false
  })
  const now = deps.clock.now()
  if (isOver || now.getTime() - relay.createdAt.getTime() > WATCH_MS) return
  await deps.addJobNow(again(WATCH_GIVEN_UP, job, now, delayByAge(relay.createdAt, now, LOOK_AGAIN)))
}

/** Returns whether there is nothing left to look for. */
async function recognise(deps: PaymentsDeps, relay: Relay): Promise<boolean> {
  const family = deps.settings.chains.find(({ name }) => name === relay.chainName)?.family
  const minedAt = family && (await deps.onChain[family]?.minedAt(relay.chainName, relay))
  if (!minedAt) return false
  const payment = await deps.payments.find(relay.tenantId, relay.paymentId)
  if (!payment) return true
  try {
    await storeRelay(deps, payment, await findSignedVersion(deps, payment, relay.raw))
    return true
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_payment_status') throw error
    await deps.alerts.raise({
      kind: 'paid_twice',
      subject: relay.paymentId,
      details: `${relay.hash} was mined as well`,
    })
    // The other attempt may fail still.
    return payment.status === 'success'
  }
}
