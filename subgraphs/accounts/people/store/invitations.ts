import { withTimes, type RowOf } from '../../../../kernel/columns.js'
import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Role } from '../../../../kernel/tenant.js'

/** Somebody who was asked to belong to a tenant, and has not answered. */
export interface Invitation {
  id: string
  email: string
  role: Role
  createdAt: Date
}

/** An invitation as the person sees it who got it. */
export interface ReceivedInvitation {
  id: string
  tenantName: string
  role: Role
  /** The address of who invited; null where that was no person. */
  invitedBy: string | null
}

/** To what an invitation was. */
export interface TakenInvitation {
  tenantId: string
  role: Role
  createdAt: Date
}

/** How long an invitation can be accepted. */
const LIFE_MS = 7 * 86_400_000

/** When an invitation ends that was made then. */
export function invitationEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIFE_MS)
}

/** Invitations that were made then or before have ended. */
export function lastEndedInvitation(now: Date): Date {
  return new Date(now.getTime() - LIFE_MS)
}

/** Invitations of one address that are listed. */
const RECEIVED_MAX = 20

const RECEIVED = {
  name: 'received_invitations',
  text: `select invitation.id, tenant.name as "tenantName", role, person.email as "invitedBy"
    from accounts.invitation join accounts.tenant on tenant.id = tenant_id left join accounts.person on person.id = invited_by
    where invitation.email = $1 and disabled_at is null and invitation.created_at > $2::timestamptz
    order by invitation.created_at desc, invitation.id limit ${RECEIVED_MAX}`,
}

const PUT = `insert into accounts.invitation (id, tenant_id, email, role, invited_by, created_at)
  values (?, ?, ?, ?, ?, ?::timestamptz)
  on conflict (tenant_id, email) do update
    set role = excluded.role, invited_by = excluded.invited_by, created_at = excluded.created_at`

const TAKE = `delete from accounts.invitation using accounts.tenant where tenant.id = tenant_id and disabled_at is null
  and invitation.id = ? and email = ? and invitation.created_at > ?::timestamptz
  returning tenant_id as "tenantId", role, invitation.created_at as "createdAt"`

export type InvitationsStore = ReturnType<typeof invitationsStore>

/** Invitations to tenants. They are of an address, and nothing is asked of whether anybody has it. */
export function invitationsStore(db: Database) {
  return {
    /** Invites an address; anew, and to the role that is said now, where it was invited before. */
    async put(
      em: Transaction,
      invitation: Invitation & { tenantId: string; invitedBy: string | null },
    ): Promise<Invitation> {
      const { id, tenantId, email, role, invitedBy, createdAt } = invitation
      const stored = await written(em, PUT, [id, tenantId, email, role, invitedBy, createdAt.toISOString()])
      if (!stored) throw new Error('an invitation was not stored')
      return stored
    },

    async count(em: Transaction, tenantId: string): Promise<number> {
      const sql = 'select count(*)::int as invited from accounts.invitation where tenant_id = ?'
      const [row] = await executeIn<{ invited: number }>(em, sql, [tenantId])
      return row?.invited ?? 0
    },

    /** Undefined where the tenant has no invitation of that id. */
    changeRole: (em: Transaction, tenantId: string, id: string, role: Role): Promise<Invitation | undefined> =>
      written(em, 'update accounts.invitation set role = ? where tenant_id = ? and id = ?', [role, tenantId, id]),

    /**
     * Lets an invitation begin anew, by another inviter maybe. @returns undefined where the tenant has none of that id
     */
    renew(
      em: Transaction,
      { tenantId, id, invitedBy, now }: { tenantId: string; id: string; invitedBy: string | null; now: Date },
    ): Promise<Invitation | undefined> {
      const sql = `update accounts.invitation set created_at = ?::timestamptz, invited_by = ? where tenant_id = ? and id = ?`
      return written(em, sql, [now.toISOString(), invitedBy, tenantId, id])
    },

    /** Takes an invitation back. @returns what it was; undefined where the tenant has none of that id */
    remove: (em: Transaction, tenantId: string, id: string): Promise<Invitation | undefined> =>
      written(em, 'delete from accounts.invitation where tenant_id = ? and id = ?', [tenantId, id]),

    /** What an address was invited to after a moment, newest first. */
    received: (email: string, after: Date): Promise<ReceivedInvitation[]> =>
      run<ReceivedInvitation & Record<string, unknown>>(db.pool, RECEIVED, [email, after.toISOString()]),

    /** Removes an invitation of an address that was made after a moment: it is answered once. @returns to what it was */
    async take(
      em: Transaction,
      { id, email, after }: { id: string; email: string; after: Date },
    ): Promise<TakenInvitation | undefined> {
      const [row] = await executeIn<RowOf<TakenInvitation>>(em, TAKE, [id, email, after.toISOString()])
      return row && (withTimes(row, ['createdAt']) as TakenInvitation)
    },
  }
}

/** Runs a statement that writes one invitation. @returns what it is then, or was; undefined where there is none */
async function written(em: Transaction, sql: string, values: unknown[]): Promise<Invitation | undefined> {
  const statement = `${sql} returning id, email, role, created_at as "createdAt"`
  const [row] = await executeIn<RowOf<Invitation>>(em, statement, values)
  return row && (withTimes(row, ['createdAt']) as Invitation)
}
