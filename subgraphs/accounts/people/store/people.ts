import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Role } from '../../../../kernel/tenant.js'

/** A tenant that a person belongs to. */
export interface PersonTenant {
  id: string
  name: string
  role: Role
}

/** Tenants of one person that are listed. */
const TENANTS_MAX = 100

const TENANTS = {
  name: 'person_tenants',
  text: `select tenant.id, name, role from accounts.membership join accounts.tenant on tenant.id = tenant_id
    where person_id = $1 and disabled_at is null order by tenant.id limit ${TENANTS_MAX}`,
}

const EMAILS = { name: 'person_emails', text: 'select id, email from accounts.person where id = any($1::text[])' }

/** The update changes nothing; it makes the statement answer the row that is there. */
const KNOW = `insert into accounts.person (id, email, created_at, verified_at) values (?, ?, ?::timestamptz, ?::timestamptz)
  on conflict (email) do update set verified_at = coalesce(person.verified_at, excluded.verified_at) returning id`

export type PeopleStore = ReturnType<typeof peopleStore>

/** People, who are known by their e-mail address, and the tenants they belong to. */
export function peopleStore(db: Database) {
  return {
    /** The id of the person of an address, who is made where there is none. */
    async know(
      em: Transaction,
      { id, email, now, isVerified }: { id: string; email: string; now: Date; isVerified: boolean },
    ): Promise<string> {
      const at = now.toISOString()
      const [row] = await executeIn<{ id: string }>(em, KNOW, [id, email, at, isVerified ? at : null])
      if (!row) throw new Error('a person was not stored')
      return row.id
    },

    /** The addresses of people by their ids. */
    async emailsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = ids.length === 0 ? [] : await run<{ id: string; email: string }>(db.pool, EMAILS, [ids])
      return new Map(rows.map(({ id, email }) => [id, email]))
    },

    /** Locks a person, so that what is bounded per person is counted in turn. */
    async lock(em: Transaction, personId: string): Promise<void> {
      await executeIn(em, 'select id from accounts.person where id = ? for update', [personId])
    },

    tenantsOf: (personId: string): Promise<PersonTenant[]> =>
      run<PersonTenant & Record<string, unknown>>(db.pool, TENANTS, [personId]),

    /** The tenant that the person has belonged to for longest; null where there is none. */
    async firstTenant(em: Transaction, personId: string): Promise<string | null> {
      const sql = `select tenant.id from accounts.membership join accounts.tenant on tenant.id = tenant_id
        where person_id = ? and disabled_at is null order by membership.created_at, tenant.id limit 1`
      const [row] = await executeIn<{ id: string }>(em, sql, [personId])
      return row?.id ?? null
    },

    /** Whether a person belongs to a tenant that is enabled. */
    async isMember(em: Transaction, personId: string, tenantId: string): Promise<boolean> {
      const sql = `select 1 as one from accounts.membership join accounts.tenant on tenant.id = tenant_id
        where person_id = ? and tenant_id = ? and disabled_at is null`
      return (await executeIn(em, sql, [personId, tenantId])).length > 0
    },

    async countOwned(em: Transaction, personId: string): Promise<number> {
      const sql = `select count(*)::int as owned from accounts.membership where person_id = ? and role = 'owner'`
      const [row] = await executeIn<{ owned: number }>(em, sql, [personId])
      return row?.owned ?? 0
    },

    /** Makes a person a member from now on. One who is already stays as he is. @param member.invitedAt now where left out */
    async join(
      em: Transaction,
      member: { tenantId: string; personId: string; role: Role; now: Date; invitedAt?: Date },
    ): Promise<void> {
      const { tenantId, personId, role, now, invitedAt = now } = member
      const sql = `insert into accounts.membership (tenant_id, person_id, role, created_at, joined_at)
        values (?, ?, ?, ?::timestamptz, ?::timestamptz) on conflict do nothing`
      await executeIn(em, sql, [tenantId, personId, role, invitedAt.toISOString(), now.toISOString()])
    },
  }
}
