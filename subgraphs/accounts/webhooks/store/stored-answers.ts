import { run, type Database } from '../../../../kernel/database.js'
import type { WebhookAttempt } from './webhook.entity.js'

/** Attempts that are read by one statement, each with up to a few thousand characters. */
const PAGE = 1_000

/** What a receiver answered to an attempt, as it is stored. */
export type StoredAnswer = Pick<
  WebhookAttempt,
  'tenantId' | 'deliveryId' | 'number' | 'sealedResponse' | 'responseBody'
>

const NEXT = {
  name: 'webhook_answers_next',
  text: `select tenant_id as "tenantId", delivery_id as "deliveryId", number, sealed_response as "sealedResponse",
      response_body as "responseBody"
    from accounts.webhook_attempt where (tenant_id, delivery_id, number) > ($1, $2, $3::int)
      and num_nonnulls(sealed_response, response_body) > 0
    order by tenant_id, delivery_id, number limit ${PAGE}`,
}

const REPLACE = {
  name: 'webhook_answer_replace',
  text: `update accounts.webhook_attempt set sealed_response = $4, response_body = null
    where tenant_id = $1 and delivery_id = $2 and number = $3::int returning number`,
}

export type StoredAnswers = ReturnType<typeof storedAnswers>

/** What receivers answered as it is stored, to seal it again. An attempt's answer changes no more once it is recorded. */
export function storedAnswers({ pool }: Database) {
  return {
    /** The attempts with an answer behind one, in the order of their keys. */
    next: (after: StoredAnswer | undefined): Promise<StoredAnswer[]> =>
      run<StoredAnswer & Record<string, unknown>>(pool, NEXT, [
        ...[after?.tenantId ?? '', after?.deliveryId ?? ''],
        after?.number ?? 0,
      ]),

    /** @returns whether the attempt is there still */
    async replace({ tenantId, deliveryId, number }: StoredAnswer, sealed: string): Promise<boolean> {
      return (await run(pool, REPLACE, [tenantId, deliveryId, number, sealed])).length > 0
    },
  }
}
