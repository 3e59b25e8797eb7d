import { executeIn, type Database, type Transaction } from '../../../../kernel/database.js'
import { removeOldRows } from '../../../../kernel/remove-old-rows.js'

/** Which tenant's invitation an address has declined. */
export interface Decline {
  tenantId: string
  email: string
}

const NOTE = `insert into accounts.invitation_decline (tenant_id, email, declined_at) values (?, ?, ?::timestamptz)
  on conflict (tenant_id, email) do update set declined_at = excluded.declined_at`

const HAS = `select from accounts.invitation_decline
  where tenant_id = ? and email = ? and declined_at > ?::timestamptz`

export type InvitationDeclinesStore = ReturnType<typeof invitationDeclinesStore>

/** Who has declined whose invitation of late. */
export function invitationDeclinesStore(db: Database) {
  return {
    async note(em: Transaction, { tenantId, email }: Decline, now: Date): Promise<void> {
      await executeIn(em, NOTE, [tenantId, email, now.toISOString()])
    },

    /** Whether an address has declined an invitation of a tenant after a moment. */
    async has(em: Transaction, { tenantId, email }: Decline, after: Date): Promise<boolean> {
      const rows = await executeIn(em, HAS, [tenantId, email, after.toISOString()])
      return rows.length > 0
    },

    /** Removes what is older than anybody asks for. */
    forget(before: Date): Promise<void> {
      const where = 'declined_at <= $1::timestamptz'
      return removeOldRows(db.pool, { table: 'accounts.invitation_decline', where }, [before.toISOString()])
    },
  }
}
