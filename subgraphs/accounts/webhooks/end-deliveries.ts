import type { Clock } from '../../../kernel/clock.js'
import type { Transaction } from '../../../kernel/database.js'
import { addJob, type JobKind } from '../../../kernel/jobs.js'
import type { WebhookDeps } from './deps.js'
import type { DeliveriesToEnd } from './store/endpoint-queue.js'
import type { DeliveryEnd } from './store/webhook.entity.js'
import { PUT_OFF_PRIORITY } from './store/webhook-queue.sql.js'

const END_DELIVERIES = 'end-deliveries'
const MAX_ATTEMPTS = 25

/**
 * Orders the end of an endpoint's open deliveries, with its own change: there may be more of them than a request can end. None is made
 * from that on, whether it is ended yet or not.
 */
export async function orderEnd(
  { clock }: { clock: Clock },
  transaction: Transaction,
  endpoint: Pick<DeliveriesToEnd, 'tenantId' | 'endpointId'>,
  endedBecause: DeliveryEnd,
): Promise<void> {
  const payload: DeliveriesToEnd = { ...endpoint, endedBecause, until: clock.now().toISOString() }
  const key = `${END_DELIVERIES}:${endpoint.tenantId}:${endpoint.endpointId}`
  await addJob(transaction, clock, {
    ...{ name: END_DELIVERIES, payload, key },
    ...{ maxAttempts: MAX_ATTEMPTS, priority: PUT_OFF_PRIORITY },
  })
}

/** Ends them, some at a time; one that a crash cuts short goes on where it was. */
export function endDeliveriesJob({ endpointQueue }: Pick<WebhookDeps, 'endpointQueue'>): JobKind<DeliveriesToEnd> {
  return {
    name: END_DELIVERIES,
    maxAttempts: MAX_ATTEMPTS,
    run: async (deliveries) => {
      while (await endpointQueue.endSome(deliveries));
    },
  }
}
