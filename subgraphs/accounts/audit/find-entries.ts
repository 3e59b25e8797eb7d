import { connectionOf, readPage, type Connection, type PageRequest } from '../../../kernel/connection.js'
import { AppError } from '../../../kernel/errors.js'
import type { Caller } from '../../../kernel/tenant.js'
import type { AuditEntries, AuditEntry, AuditFilter } from './store.js'

/** Names the list in its cursors. */
const LIST = 'audit'

/**
 * A page of the audit log, newest first: a tenant's people see what was done in the tenant, operators what was done anywhere.
 * @throws customer_not_logged for who is neither, validation_error on `first` or `after`
 */
export async function findEntries(
  deps: { auditEntries: AuditEntries },
  { tenantId, person }: Caller,
  request: PageRequest,
  filter: AuditFilter,
): Promise<Connection<AuditEntry>> {
  const isOperator = tenantId === null && person?.role === 'operator'
  if (tenantId === null && !isOperator) throw new AppError('customer_not_logged')
  const { size, after } = readPage(request, (text) => (/^\d{1,18}$/.test(text) ? text : undefined), LIST)
  const found = await deps.auditEntries.list({
    ...filter,
    tenantId: tenantId ?? filter.tenantId,
    before: after,
    limit: size + 1,
  })
  return connectionOf(found, { size, hasPreviousPage: after !== undefined, list: LIST }, ({ number }) => number)
}
