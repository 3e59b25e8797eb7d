import type { GuardedAnswer } from '../../../kernel/address-guard.js'
import { answerExcerpt, EXCERPT_BYTES } from './answer-excerpt.js'
import type { WebhookDeps } from './deps.js'
import { nextAttemptAt, readRetryAfterMs } from './retry-schedule.js'
import { leaseEnd, waitForLease } from './lease.js'
import { sealAnswer } from './sealed-answer.js'
import { openBody } from './sealed-body.js'
import { signatureHeaders } from './signature.js'
import type { AttemptJob, AttemptOutcome, RetryWebhook } from './store/webhook-queue.js'
import { RETRY_WEBHOOK } from './store/webhook-queue.sql.js'
import type { AttemptFailure, DueDelivery } from './store/webhook.entity.js'

/** A receiver that has not answered by then has failed. */
const ATTEMPT_TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024
/** What is kept of the answer may come as long after its status. */
const EXCERPT_WAIT_MS = 1000
/** The answers whose `Retry-After` tells of the receiver's load. */
const BUSY: ReadonlySet<number> = new Set([429, 503])

type DeliverDeps = Pick<WebhookDeps, 'clock' | 'guard' | 'keyRing' | 'queue' | 'secretsOf' | 'attemptTimeoutMs'>

/**
 * Makes one attempt after the first: the job `retry-webhook`. Does nothing where that attempt was made before. A crash
 * between the POST and its record repeats the POST with the same `webhook-id`.
 * @throws where our own database fails; the job then comes again
 */
export async function retryWebhook(deps: DeliverDeps, retry: RetryWebhook): Promise<void> {
  const lease = leaseEnd(deps)
  try {
    const delivery = await deps.queue.claim(retry, lease)
    if (!delivery) return await waitForLease(deps, retryJob(retry))
    const secrets = await deps.secretsOf(delivery.tenantId, delivery.publicClientId)
    await deps.queue.record(delivery, await attemptDelivery(deps, delivery, secrets), null)
  } catch (error) {
    // Where this fails too the lease runs out, and the job waits for that.
    await deps.queue.giveBack(retry, lease).catch(() => undefined)
    throw error
  }
}

/** The job of the attempt that follows `attemptCount` others; one of a delivery waits at a time. */
export function retryJob(payload: RetryWebhook): AttemptJob<RetryWebhook> {
  return { name: RETRY_WEBHOOK, payload, key: `${RETRY_WEBHOOK}:${payload.deliveryId}` }
}

/**
 * Posts a delivery once, signed as of this moment. Never throws for what a receiver does.
 * @param secrets `whsec_…`; with none nothing is sent, as nobody could tell it from a forgery
 */
export async function attemptDelivery(
  deps: Pick<WebhookDeps, 'clock' | 'guard' | 'keyRing' | 'attemptTimeoutMs'>,
  delivery: DueDelivery,
  secrets: readonly string[],
): Promise<AttemptOutcome> {
  const { clock } = deps
  const attemptedAt = clock.now()
  const startedAt = performance.now()
  const answer: GuardedAnswer | { failure: AttemptFailure } =
    secrets.length === 0 ? { failure: 'no_secret' } : await post(deps, delivery, secrets)
  const durationMs = Math.round(performance.now() - startedAt)
  const httpStatus = 'status' in answer ? answer.status : null
  const failure = 'failure' in answer ? answer.failure : null
  const excerpt = 'body' in answer && answer.body ? answerExcerpt(answer.body, secrets) : null
  const number = delivery.attemptCount + 1
  const key = { tenantId: delivery.tenantId, deliveryId: delivery.id, number }
  const sealedResponse = excerpt === null ? null : sealAnswer(deps.keyRing, key, excerpt)
  const attempt = { attemptedAt, durationMs, httpStatus, failure, sealedResponse }
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) {
    return { ...attempt, state: 'delivered', failures: 0, nextAttemptAt: null }
  }
  const failures = delivery.failures + 1
  const next = nextAttemptAt(failures, delivery.startedAt, clock.now(), retryAfterMs(answer, machineTime(deps)))
  return { ...attempt, state: next ? 'pending' : 'failed', failures, nextAttemptAt: next ?? null }
}

function post(
  deps: Pick<WebhookDeps, 'clock' | 'guard' | 'keyRing' | 'attemptTimeoutMs'>,
  delivery: DueDelivery,
  secrets: readonly string[],
): Promise<GuardedAnswer> {
  const { tenantId, id, url } = delivery
  const body = openBody(deps.keyRing, delivery)
  return deps.guard.request(url, {
    tenantId,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'payments-api-webhooks',
      ...signatureHeaders(id, machineTime(deps), body, secrets),
    },
    body,
    timeoutMs: deps.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    readsBody: { firstBytes: EXCERPT_BYTES, waitMs: EXCERPT_WAIT_MS },
  })
}

/** The receiver compares the timestamp with its own clock, which a moved product clock knows nothing of. */
function machineTime({ clock }: Pick<WebhookDeps, 'clock'>): Date {
  return new Date(clock.now().getTime() - clock.aheadMs())
}

function retryAfterMs(answer: GuardedAnswer | { failure: AttemptFailure }, now: Date): number {
  if (!('status' in answer) || !BUSY.has(answer.status)) return 0
  return readRetryAfterMs(answer.headers['retry-after'], now)
}
