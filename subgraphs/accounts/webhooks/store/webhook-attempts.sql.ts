import { columnsOf } from '../../../../kernel/columns.js'
import { ATTEMPTS_SHOWN, type WebhookAttempt } from './webhook.entity.js'

/** How many attempts of a delivery are kept: a replay is answered again as it was, though others were ordered after it. */
const ATTEMPTS_KEPT = 100

const ATTEMPT_PROPERTIES = [
  'tenantId',
  'deliveryId',
  'number',
  'attemptedAt',
  'httpStatus',
  'failure',
  'durationMs',
  'sealedResponse',
  'responseBody',
] as const satisfies (keyof WebhookAttempt)[]

/** An attempt at a row of `delivery`, of the values that `attemptValues` gives; the oldest make room for it. */
export const INSERT_ATTEMPT = `attempt as (
    insert into accounts.webhook_attempt
      (tenant_id, delivery_id, number, attempted_at, http_status, failure, duration_ms, sealed_response)
    select $1, $2, $3::int + 1, $8::timestamptz, $9::int, $10::text, $11::int, $13::text from delivery
  ), pruned as (
    delete from accounts.webhook_attempt
    where $3::int >= ${ATTEMPTS_KEPT} and tenant_id = $1 and delivery_id = $2 and number <= $3::int + 1 - ${ATTEMPTS_KEPT}
  )`

/** The newest attempts of each of the deliveries $2, of as many as the same place of $3 says; oldest first. */
export const SHOWN_ATTEMPTS = {
  name: 'webhook_shown_attempts',
  text: `select attempt.* from unnest($2::text[], $3::int[]) as asked (id, attempt_count) cross join lateral (
      select ${columnsOf(ATTEMPT_PROPERTIES)} from accounts.webhook_attempt
      where tenant_id = $1 and delivery_id = asked.id and number <= asked.attempt_count
      order by number desc limit ${ATTEMPTS_SHOWN}
    ) as attempt order by attempt.number`,
}
