import { executeIn, type Transaction } from '../../../kernel/database.js'
import type { Role } from '../../../kernel/tenant.js'

/**
 * Locks a tenant for what is judged or counted in turn. Rows that only name the tenant are added meanwhile: an invitation is accepted.
 */
export async function lockTenant(em: Transaction, tenantId: string): Promise<void> {
  await executeIn(em, 'select id from accounts.tenant where id = ? for no key update', [tenantId])
}

/**
 * The role that a person has in a tenant that is enabled, which stays so until the transaction ends.
 * @returns undefined where the person is no member
 */
export async function lockRole(em: Transaction, tenantId: string, personId: string): Promise<Role | undefined> {
  // The tenant before the member, as who changes a role does.
  await lockTenant(em, tenantId)
  const sql = `select role from accounts.membership join accounts.tenant on tenant.id = tenant_id
    where tenant_id = ? and person_id = ? and disabled_at is null for share of membership`
  const [member] = await executeIn<{ role: Role }>(em, sql, [tenantId, personId])
  return member?.role
}

/** Whether a session of a person has not been ended, which stays so until the transaction ends. */
export async function lockSession(em: Transaction, sessionId: string, personId: string): Promise<boolean> {
  const sql = 'select id from accounts.session where id = ? and person_id = ? for share'
  return (await executeIn(em, sql, [sessionId, personId])).length > 0
}
