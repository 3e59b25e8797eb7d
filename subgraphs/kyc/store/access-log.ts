import type { Clock } from '../../../kernel/clock.js'
import { run, type Database } from '../../../kernel/database.js'

/** One access to a person's data. */
export interface Access {
  tenantId: string
  personId: string
  /** The id of the API key, or `worker`, or `operator` for the command line. */
  actor: string
  operation: string
  requestId: string
}

const APPEND = {
  name: 'kyc_access_append',
  text: `insert into kyc.access_log (tenant_id, person_id, actor, operation, request_id, accessed_at)
    select tenant_id, person_id, actor, operation, request_id, $6::timestamptz
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      as access (tenant_id, person_id, actor, operation, request_id)`,
}

const LIST = {
  name: 'kyc_access_list',
  text: `select actor, operation, request_id as "requestId", accessed_at as "accessedAt" from kyc.access_log
    where tenant_id = $1 and person_id = $2 order by id`,
}

export type AccessLog = ReturnType<typeof accessLog>

/** Who has read or changed what is known of a person. It outlives the person, whom it names by an opaque id only. */
export function accessLog({ pool }: Database, clock: Clock) {
  return {
    /** Appends accesses in one statement. @param at when they happened, where that is not now */
    async append(accesses: readonly Access[], at = clock.now()): Promise<void> {
      const column = (name: keyof Access): string[] => accesses.map((access) => access[name])
      const columns = (['tenantId', 'personId', 'actor', 'operation', 'requestId'] as const).map(column)
      await run(pool, APPEND, [...columns, at.toISOString()])
    },

    /** The accesses to one person's data, oldest first. */
    list(tenantId: string, personId: string): Promise<Omit<Access, 'tenantId' | 'personId'>[]> {
      return run(pool, LIST, [tenantId, personId])
    },
  }
}
