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

/** What counts is ordered of late: by a tenant, of those to one address, and to that address by all tenants. */
type MailCounts = Record<'tenant' | 'address' | 'addressOfAll', number>

const LOCK = 'select pg_advisory_xact_lock(hashtextextended(?, 0))'

const COUNT = `select count(*) filter (where tenant_id = of.tenant)::int as tenant,
    count(*) filter (where tenant_id = of.tenant and email = of.address)::int as address,
    count(*) filter (where email = of.address)::int as "addressOfAll"
  from accounts.invitation_mail, (select ?::text as tenant, ?::text as address) as of
  where (tenant_id = of.tenant or email = of.address) and sent_at > ?::timestamptz`

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

    /** Holds the e-mails to an address until the transaction ends: those of all tenants are counted in turn. */
    async lockAddress(em: Transaction, email: string): Promise<void> {
      await executeIn(em, LOCK, [`invitation:${email}`])
    },

    /** How many were ordered after a moment. */
    async count(em: Transaction, of: { tenantId: string; email: string }, after: Date): Promise<MailCounts> {
      const [row] = await executeIn<MailCounts>(em, COUNT, [of.tenantId, of.email, after.toISOString()])
      return row ?? { tenant: 0, address: 0, addressOfAll: 0 }
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
