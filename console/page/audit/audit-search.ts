import type { AuditLogVariables } from '../generated/operations.js'
import { day, searchOf, startOfDay, text } from '../pages/search-text.js'
import { PAGE_SIZE } from '../parts/pager.js'

/** Which acts are shown, as it is in the address. */
export const auditSearch = searchOf({
  operation: text,
  /** The id of a person or a key. */
  who: text,
  /** For operators. */
  tenant: text,
  /** Days, both ends included. */
  from: day,
  to: day,
  after: text,
})
export type AuditSearch = ReturnType<typeof auditSearch>

export function auditVariables({ operation, who, tenant, from, to, after }: AuditSearch): AuditLogVariables {
  // The last day is shown to its end.
  const days = { doneFrom: from && startOfDay(from), doneBefore: to && startOfDay(to, 1) }
  return { first: PAGE_SIZE, after, filter: { operation, actorId: who, tenantId: tenant, ...days } }
}
