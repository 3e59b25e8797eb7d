import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Role } from '../../../../kernel/tenant.js'
import { lockTenant } from '../../store/standing.js'
import { invitationEnd } from './invitations.js'

/** A person as a member of one tenant, or as one who is invited to it. */
export interface TenantPerson {
  /** Of the person; of the invitation as long as it is not accepted: it tells nothing of whether the address is known. */
  id: string
  email: string
  role: Role
  /** When the person was invited. */
  createdAt: Date
  /** When the invitation was accepted; null as long as it is not. */
  joinedAt: Date | null
  /** When the invitation ends, or has ended; null for who has accepted it. */
  invitationExpiresAt: Date | null
  /** Keys of the tenant that the person made, and that work. */
  apiKeyCount: number
}

/** A member, as far as others are judged by it. */
export interface LockedMember {
  personId: string
  email: string
  role: Role
}

/** @param now the parameter that holds the time by which keys work */
const columns = (now: string): string => `person.id, email, role, membership.created_at as "createdAt",
  joined_at as "joinedAt",
  (select count(*)::int from accounts.api_key where api_key.tenant_id = membership.tenant_id and created_by = person.id
    and revoked_at is null and (expires_at is null or expires_at > ${now}::timestamptz)) as "apiKeyCount"
  from accounts.membership join accounts.person on person.id = person_id`

const LIST = {
  name: 'tenant_people',
  text: `(select ${columns('$2')} where tenant_id = $1 order by membership.created_at, person.id limit 200)
    union all
    (select id, email, role, created_at, null, 0 from accounts.invitation where tenant_id = $1
      order by created_at, id limit 200)`,
}

type MemberRow = Pick<TenantPerson, 'id' | 'email' | 'role' | 'apiKeyCount'> & {
  createdAt: string | Date
  joinedAt: string | Date | null
}

export type MembersStore = ReturnType<typeof membersStore>

/** The people of a tenant. */
export function membersStore(db: Database) {
  return {
    /** The members of a tenant, oldest first, and behind them who is invited. */
    async list(tenantId: string, now: Date): Promise<TenantPerson[]> {
      return (await run<MemberRow>(db.pool, LIST, [tenantId, now.toISOString()])).map(personOf)
    },

    /** All members, locked with their tenant, so that what holds for all of them is judged in turn. */
    async lock(em: Transaction, tenantId: string): Promise<LockedMember[]> {
      await lockTenant(em, tenantId)
      const sql = `select person_id as "personId", email, role
        from accounts.membership join accounts.person on person.id = person_id where tenant_id = ?`
      return executeIn<LockedMember>(em, sql, [tenantId])
    },

    /** @throws Error where there is none */
    async get(em: Transaction, tenantId: string, personId: string, now: Date): Promise<TenantPerson> {
      const sql = `select ${columns('?')} where tenant_id = ? and person_id = ?`
      const [row] = await executeIn<MemberRow>(em, sql, [now.toISOString(), tenantId, personId])
      if (!row) throw new Error('a member was not found')
      return personOf(row)
    },

    async changeRole(em: Transaction, tenantId: string, personId: string, role: Role): Promise<void> {
      const sql = 'update accounts.membership set role = ? where tenant_id = ? and person_id = ?'
      await executeIn(em, sql, [role, tenantId, personId])
    },

    async remove(em: Transaction, tenantId: string, personId: string): Promise<void> {
      await executeIn(em, 'delete from accounts.membership where tenant_id = ? and person_id = ?', [tenantId, personId])
    },
  }
}

function personOf({ createdAt, joinedAt, ...person }: MemberRow): TenantPerson {
  const invitedAt = new Date(createdAt)
  const joined = joinedAt === null ? null : new Date(joinedAt)
  const invitationExpiresAt = joined ? null : invitationEnd(invitedAt)
  return { ...person, createdAt: invitedAt, joinedAt: joined, invitationExpiresAt }
}
