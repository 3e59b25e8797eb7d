import { withTimes, type RowOf } from '../../../../kernel/columns.js'
import { executeIn, run, type Database, type Transaction } from '../../../../kernel/database.js'
import type { Product, Role } from '../../../../kernel/tenant.js'

/** A session that was not ended; whether it has run out is the caller's to say. */
export interface StoredSession {
  id: string
  personId: string
  email: string
  /** The tenant that is looked at, as long as the person belongs to it and it is enabled. */
  tenantId: string | null
  role: Role | null
  products: readonly Product[]
  fiats: readonly string[] | null
  createdAt: Date
  lastUsedAt: Date
  provenAt: Date
  /** Whether the person has a passkey to prove with. */
  hasPasskeys: boolean
  /** From where it was opened. */
  address: string
  agent: string
}

/** A session at its beginning. */
interface NewSession extends Pick<StoredSession, 'id' | 'personId' | 'tenantId' | 'address' | 'agent'> {
  /** SHA-256, hex, of what the cookie holds. */
  hash: string
  now: Date
}

/** A session as its person sees it. */
export type ListedSession = Pick<StoredSession, 'id' | 'address' | 'agent' | 'createdAt' | 'lastUsedAt'>

/** What changes in a session. Each change gives it another hash, so that no process acts on what it remembers of it. */
export interface SessionChange {
  hash: string
  tenantId?: string | null
  provenAt?: Date
}

/** Asked every few seconds for every session that is in use. */
const SESSION = {
  name: 'console_session',
  text: `select session.id, session.person_id as "personId", email, address, agent, tenant.id as "tenantId",
      case when tenant.id is null then null else role end as role,
      coalesce(array_to_json(products), '[]')::text as products, array_to_json(fiats)::text as fiats,
      session.created_at as "createdAt", last_used_at as "lastUsedAt", proven_at as "provenAt",
      exists (select from accounts.passkey where person_id = session.person_id) as "hasPasskeys"
    from accounts.session
    join accounts.person on person.id = session.person_id
    left join accounts.membership on membership.person_id = session.person_id
      and membership.tenant_id = case when $2::boolean then $3::text else session.tenant_id end
    left join accounts.tenant on tenant.id = membership.tenant_id and disabled_at is null
    where hash = $1`,
}

const TOUCH = {
  name: 'touch_session',
  text: 'update accounts.session set last_used_at = $2::timestamptz where hash = $1',
}
const END = 'delete from accounts.session where hash = ? returning id'

/** How many sessions of a person are listed. */
export const SESSIONS_LISTED = 100

const LISTED = 'id, address, agent, created_at as "createdAt", last_used_at as "lastUsedAt"'
const LIST = {
  name: 'own_sessions',
  text: `select ${LISTED} from accounts.session where person_id = $1 and created_at > $2::timestamptz
    and last_used_at > $3::timestamptz order by created_at desc, id limit ${SESSIONS_LISTED}`,
}
const END_OWN = {
  name: 'end_own_session',
  text: `delete from accounts.session where person_id = $1 and id = $2 returning ${LISTED}`,
}

const INSERT = `insert into accounts.session
  (id, hash, person_id, tenant_id, address, agent, created_at, last_used_at, proven_at)
  values (?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?::timestamptz)`

const CHANGE = `update accounts.session set hash = ?, tenant_id = case when ? then ? else tenant_id end,
  proven_at = coalesce(?::timestamptz, proven_at) where hash = ? returning id`

export type SessionsStore = ReturnType<typeof sessionsStore>

/** Sessions at the console. One that is ended has no row. */
export function sessionsStore(db: Database) {
  return {
    /** @param tenantId that is looked at, null for none; undefined for the one that was chosen last */
    async find(hash: string, tenantId?: string | null): Promise<StoredSession | undefined> {
      const [row] = await run<SessionRow>(db.pool, SESSION, [hash, tenantId !== undefined, tenantId ?? null])
      if (!row) return undefined
      return {
        ...(withTimes(row, ['createdAt', 'lastUsedAt', 'provenAt']) as StoredSession),
        products: JSON.parse(row.products) as Product[],
        fiats: row.fiats === null ? null : (JSON.parse(row.fiats) as string[]),
      }
    },

    async touch(hash: string, now: Date): Promise<void> {
      await run(db.pool, TOUCH, [hash, now.toISOString()])
    },

    async add(em: Transaction, session: NewSession): Promise<void> {
      const { id, hash, personId, tenantId, address, agent } = session
      const now = session.now.toISOString()
      await executeIn(em, INSERT, [id, hash, personId, tenantId, address, agent, now, now, now])
    },

    /** @returns false where the session was ended meanwhile, or changed by another request */
    async change(em: Transaction, present: string, change: SessionChange): Promise<boolean> {
      const { hash, tenantId, provenAt } = change
      const values = [hash, tenantId !== undefined, tenantId ?? null, provenAt?.toISOString() ?? null, present]
      return (await executeIn(em, CHANGE, values)).length > 0
    },

    /** Removes the sessions of a person that have run out. */
    async forget(em: Transaction, personId: string, before: { created: Date; used: Date }): Promise<void> {
      const sql = `delete from accounts.session where person_id = ? and (created_at <= ?::timestamptz or last_used_at <= ?::timestamptz)`
      await executeIn(em, sql, [personId, before.created.toISOString(), before.used.toISOString()])
    },

    /** The sessions of a person that have not run out, newest first. */
    async list(personId: string, before: { created: Date; used: Date }): Promise<ListedSession[]> {
      const values = [personId, before.created.toISOString(), before.used.toISOString()]
      return (await run<ListedRow>(db.pool, LIST, values)).map(listed)
    },

    /** Ends a session of a person. @returns what it was; undefined where the person has none of that id */
    async endOwn(personId: string, id: string): Promise<ListedSession | undefined> {
      const [row] = await run<ListedRow>(db.pool, END_OWN, [personId, id])
      return row && listed(row)
    },

    async end(em: Transaction, hash: string): Promise<boolean> {
      return (await executeIn(em, END, [hash])).length > 0
    },
  }
}

type ListedRow = RowOf<ListedSession>

function listed(row: ListedRow): ListedSession {
  return withTimes(row, ['createdAt', 'lastUsedAt']) as ListedSession
}

type SessionRow = Omit<RowOf<StoredSession>, 'products' | 'fiats'> & { products: string; fiats: string | null }
