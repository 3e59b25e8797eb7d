import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Role } from '../../../../kernel/tenant.js'

/** A person as a member of one tenant. */
export interface TenantPerson {
  id: string
  email: string
  role: Role
  createdAt: Date
  /** When the address was proved; null as long as the person has never signed in. */
  joinedAt: Date | null
}

const COLUMNS = `person.id, email, role, membership.created_at as "createdAt", verified_at as "joinedAt"
  from accounts.membership join accounts.person on person.id = person_id`

const LIST = {
  name: 'tenant_people',
  text: `select ${COLUMNS} where tenant_id = $1 order by membership.created_at, person.id limit 200`,
}

type MemberRow = Pick<TenantPerson, 'id' | 'email' | 'role'> & {
  createdAt: string | Date
  joinedAt: string | Date | null
}

export type MembersStore = ReturnType<typeof membersStore>

/** The people of a tenant. */
export function membersStore(db: Database) {
  return {
    /** The members of a tenant, oldest first. */
    async list(tenantId: string): Promise<TenantPerson[]> {
      return (await run<MemberRow>(db.pool, LIST, [tenantId])).map(personOf)
    },

    /** All members, locked with their tenant, so that what holds for all of them is judged in turn. */
    async lock(em: Transaction, tenantId: string): Promise<{ personId: string; role: Role }[]> {
      await executeIn(em, 'select id from accounts.tenant where id = ? for update', [tenantId])
      const sql = 'select person_id as "personId", role from accounts.membership where tenant_id = ?'
      return executeIn<{ personId: string; role: Role }>(em, sql, [tenantId])
    },

    /** @throws Error where there is none */
    async get(em: Transaction, tenantId: string, personId: string): Promise<TenantPerson> {
      const sql = `select ${COLUMNS} where tenant_id = ? and person_id = ?`
      const [row] = await executeIn<MemberRow>(em, sql, [tenantId, personId])
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
  return { ...person, createdAt: new Date(createdAt), joinedAt: joinedAt === null ? null : new Date(joinedAt) }
}
