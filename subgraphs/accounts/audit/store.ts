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

/** Which entries are asked for; what is left out or null is any. */
export interface AuditFilter {
  tenantId?: string | null | undefined
  actorId?: string | null | undefined
  operation?: string | null | undefined
  /** Only of acts that were begun at this time or later, and before that one; ISO 8601. */
  doneFrom?: string | null | undefined
  doneBefore?: string | null | undefined
}

/** The same, newest first: `limit` of those with a lower number than `before`. */
export interface AuditSearch extends AuditFilter {
  before: string | undefined
  limit: number
}

const LIST = `select number::text as number, id, entry.at, tenant_id as "tenantId", actor_kind as "actorKind",
    actor_id as "actorId", actor_email as "actorEmail", operation, subjects::text as subjects, address, agent,
    request_id as "requestId", outcome, result_id as "resultId"
  from kernel.audit_entry entry left join kernel.audit_outcome result on result.entry_id = entry.id`

/**
 * Entries have their numbers in the order in which they were written, and their times by the clocks of several processes, which are
 * less than a minute apart: a time leads to a number by the index of times, and the index that the list is read by begins there.
 */
const FROM = `entry.at >= ?::timestamptz and entry.number >=
  (select number from kernel.audit_entry where at >= ?::timestamptz - interval '1 minute' order by at limit 1)`
const BEFORE = `entry.at < ?::timestamptz and entry.number <=
  (select number from kernel.audit_entry where at < ?::timestamptz + interval '1 minute' order by at desc limit 1)`

export type AuditEntries = ReturnType<typeof auditEntries>

/** Reads of the audit log. */
export function auditEntries({ pool }: Pick<Database, 'pool'>) {
  return {
    async list({ before, limit, ...search }: AuditSearch): Promise<AuditEntry[]> {
      // Named by what it asks for, so that each has the plan of its index.
      const asked = conditionsOf(search).filter(([, , value]) => value)
      const conditions = asked.map(([, condition], index) => ` and ${condition.replaceAll('?', `$${index + 3}`)}`)
      const text = `${LIST} where ($2::bigint is null or entry.number < $2)${conditions.join('')}
        order by entry.number desc limit $1`
      const name = `audit_list_${asked.map(([word]) => word).join('_')}`
      const values = [limit, before ?? null, ...asked.map(([, , value]) => value)]
      return (await run<AuditRow>(pool, { name, text }, values)).map(({ at, subjects, ...row }) => ({
        ...row,
        at: new Date(at),
        subjects: JSON.parse(subjects) as Record<string, string>,
      }))
    },
  }
}

/** What is asked for, in a word and as a condition of a `?`. */
function conditionsOf(filter: AuditFilter): [string, string, string | null | undefined][] {
  return [
    ['tenant', 'tenant_id = ?', filter.tenantId],
    ['actor', 'actor_id = ?', filter.actorId],
    ['operation', 'operation = ?', filter.operation],
    ['from', FROM, filter.doneFrom],
    ['before', BEFORE, filter.doneBefore],
  ]
}

type AuditRow = Omit<AuditEntry, 'at' | 'subjects'> & { at: string | Date; subjects: string }
