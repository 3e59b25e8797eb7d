import type { AuditedAct } from '../../../kernel/audit.js'
import { run, type Database } from '../../../kernel/database.js'

/** An act as it was written down, with what came of it. */
export interface AuditEntry extends AuditedAct {
  /** Its place in the log: entries are in this order. */
  number: string
  id: string
  at: Date
  /** `done`, or an error's code; null where it is not known. */
  outcome: string | null
  resultId: string | null
}

/** Which entries, newest first; what is undefined is any. */
export interface AuditSearch {
  tenantId: string | undefined
  actorId: string | undefined
  operation: string | undefined
  /** Only entries with a lower number. */
  before: string | undefined
  limit: number
}

const LIST = `select number::text as number, id, entry.at, tenant_id as "tenantId", actor_kind as "actorKind",
    actor_id as "actorId", actor_email as "actorEmail", operation, subjects::text as subjects, address, agent,
    request_id as "requestId", outcome, result_id as "resultId"
  from kernel.audit_entry entry left join kernel.audit_outcome result on result.entry_id = entry.id`

export type AuditEntries = ReturnType<typeof auditEntries>

/** Reads of the audit log. */
export function auditEntries({ pool }: Pick<Database, 'pool'>) {
  return {
    async list({ tenantId, actorId, operation, before, limit }: AuditSearch): Promise<AuditEntry[]> {
      // Named by what it asks for, so that each has the plan of its index.
      const asked = Object.entries({ tenant_id: tenantId, actor_id: actorId, operation }).filter(([, value]) => value)
      const conditions = asked.map(([column], index) => `${column} = $${index + 3}`)
      const text = `${LIST} where ($2::bigint is null or entry.number < $2)${conditions.map((one) => ` and ${one}`).join('')}
        order by entry.number desc limit $1`
      const name = `audit_list_${asked.map(([column]) => column).join('_')}`
      const values = [limit, before ?? null, ...asked.map(([, value]) => value)]
      return (await run<AuditRow>(pool, { name, text }, values)).map(({ at, subjects, ...row }) => ({
        ...row,
        at: new Date(at),
        subjects: JSON.parse(subjects) as Record<string, string>,
      }))
    },
  }
}

type AuditRow = Omit<AuditEntry, 'at' | 'subjects'> & { at: string | Date; subjects: string }
