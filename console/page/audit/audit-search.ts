import type { AuditLogVariables } from '../generated/operations.js'
import { dayIn, startOfDay, textIn } from '../pages/search-text.js'

/** Which acts are shown, as it is in the address. */
export interface AuditSearch {
  operation?: string | undefined
  /** The id of a person or a key. */
  who?: string | undefined
  /** For operators. */
  tenant?: string | undefined
  /** Days, both ends included. */
  from?: string | undefined
  to?: string | undefined
  /** The cursor that the page begins behind. */
  after?: string | undefined
}

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    operation: textIn(search, 'operation'),
    who: textIn(search, 'who'),
    tenant: textIn(search, 'tenant'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    after: textIn(search, 'after'),
  }
}

const PAGE_SIZE = 25

export function auditVariables({ operation, who, tenant, from, to, after }: AuditSearch): AuditLogVariables {
  const days = {
    ...(from !== undefined && { doneFrom: startOfDay(from) }),
    // The last day is shown to its end.
    ...(to !== undefined && { doneBefore: startOfDay(to, 1) }),
  }
  return { first: PAGE_SIZE, after, filter: { operation, actorId: who, tenantId: tenant, ...days } }
}
