import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import { removeOldRows } from '../../../../kernel/remove-old-rows.js'
import type { Role } from '../../../../kernel/tenant.js'

/** What an e-mail says of an invitation. */
export interface MailedInvitation {
  email: string
  role: Role
  createdAt: Date
  tenantName: string
  /** The address of who invited; null where that was no person. */
  invitedBy: string | null
}

const FIND = {
  name: 'mailed_invitation',
  text: `select invitation.email, role, invitation.created_at as "createdAt", tenant.name as "tenantName",
      person.email as "invitedBy"
    from accounts.invitation join accounts.tenant on tenant.id = tenant_id left join accounts.person on person.id = invited_by
    where tenant_id = $1 and invitation.id = $2 and disabled_at is null`,
}

const COUNT = `select count(*)::int as tenant, (count(*) filter (where email = ?))::int as address
  from accounts.invitation_mail where tenant_id = ? and sent_at > ?::timestamptz`

export type InvitationMailsStore = ReturnType<typeof invitationMailsStore>

/** What is sent of invitations, and how much was. */
export function invitationMailsStore(db: Database) {
  return {
    /** An invitation as it is now; undefined where it was answered or taken back, or its tenant is disabled. */
    async find(tenantId: string, id: string): Promise<MailedInvitation | undefined> {
      type Row = Omit<MailedInvitation, 'createdAt'> & { createdAt: string | Date }
      const [row] = await run<Row & Record<string, unknown>>(db.pool, FIND, [tenantId, id])
      return row && { ...row, createdAt: new Date(row.createdAt) }
    },

    /** How many were ordered after a moment: by the tenant, and of those to one address. */
    async count(
      em: Transaction,
      of: { tenantId: string; email: string },
      after: Date,
    ): Promise<Record<'tenant' | 'address', number>> {
      const [row] = await executeIn<{ tenant: number; address: number }>(em, COUNT, [
        of.email,
        of.tenantId,
        after.toISOString(),
      ])
      return row ?? { tenant: 0, address: 0 }
    },

    async note(em: Transaction, { tenantId, email }: { tenantId: string; email: string }, now: Date): Promise<void> {
      const sql = 'insert into accounts.invitation_mail (tenant_id, email, sent_at) values (?, ?, ?::timestamptz)'
      await executeIn(em, sql, [tenantId, email, now.toISOString()])
    },

    /** Removes what is older than any limit counts. */
    forget(before: Date): Promise<void> {
      const where = 'sent_at <= $1::timestamptz'
      return removeOldRows(db.pool, { table: 'accounts.invitation_mail', where }, [before.toISOString()])
    },
  }
}
