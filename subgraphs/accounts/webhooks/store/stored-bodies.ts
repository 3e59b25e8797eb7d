import { run, type Database } from '../../../../kernel/database.js'
import type { EventKey } from './webhook-queue.js'

/** Deliveries that are looked at by one statement: few of them may have a body that is sealed. */
const PAGE = 5_000

/** A body as it is stored, of the event that it tells of. */
export type StoredBody = EventKey & { body: string }

/** A delivery, by its key. */
export interface DeliveryKey {
  tenantId: string
  id: string
}

/** A delivery that was looked at, with its body where it is of the source that was asked for. */
export type LookedAt = DeliveryKey & { stored: StoredBody | null }

const NEXT = {
  name: 'webhook_bodies_next',
  text: `select tenant_id as "tenantId", id, case when source = $3 then json_build_object('tenantId', tenant_id,
      'source', source, 'resourceId', resource_id, 'sequence', coalesce(sequence, endpoint_sequence), 'body', body) end as stored
    from accounts.webhook_delivery where (tenant_id, id) > ($1, $2) order by tenant_id, id limit ${PAGE}`,
}

const REPLACE = {
  name: 'webhook_body_replace',
  text: 'update accounts.webhook_delivery set body = $4 where tenant_id = $1 and id = $2 and body = $3 returning id',
}

export type StoredBodies = ReturnType<typeof storedBodies>

/** The bodies of deliveries as they are stored, to seal them again. */
export function storedBodies({ pool }: Database) {
  return {
    /** The deliveries behind one, in the order of their keys. @param source whose bodies are read */
    next: (after: DeliveryKey | undefined, source: string): Promise<LookedAt[]> =>
      run<LookedAt & Record<string, unknown>>(pool, NEXT, [after?.tenantId ?? '', after?.id ?? '', source]),

    /** @returns whether the delivery is there still, with the body that was read */
    async replace({ tenantId, id }: DeliveryKey, from: string, to: string): Promise<boolean> {
      return (await run(pool, REPLACE, [tenantId, id, from, to])).length > 0
    },
  }
}
