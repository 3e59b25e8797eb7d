import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { Identity } from '../domain/identity.js'
import type { Vault } from '../vault.js'
import { PERSON_COLUMNS, personFromRow, type Person, type PersonRow } from './person.entity.js'

/** What of a person changes, but for their identities. */
export type PersonChange = Partial<Pick<Person, 'status' | 'sessionId' | 'approvedUntil' | 'sequence'>>

const FIND_BY = {
  email: {
    name: 'kyc_by_email',
    text: `select ${PERSON_COLUMNS}, email_hash as "foundBy" from kyc.person where tenant_id = $1 and email_hash = any($2)`,
  },
  wallet: {
    name: 'kyc_by_wallet',
    text: `select ${PERSON_COLUMNS}, wallet_hash as "foundBy" from kyc.person where tenant_id = $1 and wallet_hash = any($2)`,
  },
}

const LOCK_BY = {
  email: `select ${PERSON_COLUMNS} from kyc.person where tenant_id = ? and email_hash = any(string_to_array(?, ',')) for update`,
  wallet: `select ${PERSON_COLUMNS} from kyc.person where tenant_id = ? and wallet_hash = any(string_to_array(?, ',')) for update`,
}

const CREATE = `insert into kyc.person (tenant_id, id, status, sequence, created_at, updated_at)
  values (?, ?, 'pending', 0, ?::timestamptz, ?::timestamptz) returning ${PERSON_COLUMNS}`

const SET_EMAIL = `update kyc.person set email_hash = ?, email_sealed = ?, email_verified_at = ?::timestamptz,
  updated_at = ?::timestamptz where tenant_id = ? and id = ? returning ${PERSON_COLUMNS}`
const SET_WALLET = `update kyc.person set wallet_hash = ?, wallet_sealed = ?, wallet_chain = ?,
  wallet_verified_at = ?::timestamptz, updated_at = ?::timestamptz where tenant_id = ? and id = ? returning ${PERSON_COLUMNS}`

const CHANGE = `update kyc.person set status = ?, session_id = ?, approved_until = ?::timestamptz, sequence = ?,
  updated_at = ?::timestamptz where tenant_id = ? and id = ? returning ${PERSON_COLUMNS}`

const LAPSED = {
  name: 'kyc_lapsed',
  text: `select tenant_id as "tenantId", id, approved_until as "until" from kyc.person
    where status = 'approved' and approved_until <= $1::timestamptz
      and (approved_until, id) > ($2::timestamptz, $3::text) order by approved_until, id limit 500`,
}

/** An approval that is over, and whose. */
export interface LapsedApproval extends Pick<Person, 'tenantId' | 'id'> {
  until: string
}

const BEFORE_ALL = { until: '-infinity', id: '' }

export type PeopleStore = ReturnType<typeof peopleStore>

/** Reads and writes of people. Every read names the tenant first: another's person does not exist. */
export function peopleStore({ pool }: Database, vault: Vault, clock: Clock, newId: IdSource) {
  const now = (): string => clock.now().toISOString()
  const findMany = finder(pool, vault)

  return {
    find: async (tenantId: string, identity: Identity): Promise<Person | undefined> =>
      (await findMany(tenantId, [identity]))[0],

    /** The people in the order of `identities`, undefined where nobody is known by one: a statement for all of a kind. */
    findMany,

    /** As `find`, with the row locked until the transaction ends. */
    async lock(em: EntityManager, tenantId: string, { kind, value }: Identity): Promise<Person | undefined> {
      const hashes = vault.identityHashes(kind, tenantId, value).join(',')
      return first(await executeIn<PersonRow>(em, LOCK_BY[kind], [tenantId, hashes]))
    },

    async lockById(em: EntityManager, tenantId: string, id: string): Promise<Person | undefined> {
      const sql = `select ${PERSON_COLUMNS} from kyc.person where tenant_id = ? and id = ? for update`
      return first(await executeIn<PersonRow>(em, sql, [tenantId, id]))
    },

    /** Makes requests that prepare the same identities wait for each other: none comes between look-up and insert. */
    async lockIdentities(em: EntityManager, tenantId: string, identities: readonly Identity[]): Promise<void> {
      const hashes = identities.map(({ kind, value }) => vault.identityHash(kind, tenantId, value))
      // In one order for all, so that two requests never wait for each other.
      for (const hash of hashes.sort())
        await executeIn(em, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [`kyc:${hash}`])
    },

    async create(em: EntityManager, tenantId: string): Promise<Person> {
      return must(await executeIn<PersonRow>(em, CREATE, [tenantId, newId(), now(), now()]))
    },

    /** Makes a person known by an identity, proved at a time or not yet. */
    async setIdentity(em: EntityManager, person: Person, identity: Identity, provedAt: Date | null): Promise<Person> {
      const { tenantId, id } = person
      const { kind, value } = identity
      const hash = vault.identityHash(kind, tenantId, value)
      const sealed = vault.seal(value, identityContext(kind, tenantId, id))
      const proved = provedAt?.toISOString() ?? null
      return kind === 'email'
        ? must(await executeIn<PersonRow>(em, SET_EMAIL, [hash, sealed, proved, now(), tenantId, id]))
        : must(await executeIn<PersonRow>(em, SET_WALLET, [hash, sealed, identity.chain, proved, now(), tenantId, id]))
    },

    async proveEmail(em: EntityManager, { tenantId, id }: Person): Promise<void> {
      const sql =
        'update kyc.person set email_verified_at = ?::timestamptz, updated_at = ?::timestamptz where tenant_id = ? and id = ?'
      await executeIn(em, sql, [now(), now(), tenantId, id])
    },

    async change(em: EntityManager, person: Person, change: PersonChange): Promise<Person> {
      const { tenantId, id, status, sessionId, approvedUntil, sequence } = { ...person, ...change }
      const values = [status, sessionId, approvedUntil?.toISOString() ?? null, sequence, now(), tenantId, id]
      return must(await executeIn<PersonRow>(em, CHANGE, values))
    },

    async remove(em: EntityManager, { tenantId, id }: Pick<Person, 'tenantId' | 'id'>): Promise<void> {
      for (const table of ['email_otp', 'page_otp', 'email_otp_send', 'person_event'])
        await executeIn(em, `delete from kyc.${table} where tenant_id = ? and person_id = ?`, [tenantId, id])
      await executeIn(em, 'delete from kyc.person where tenant_id = ? and id = ?', [tenantId, id])
    },

    /** Approvals that are over, the first to end first, behind the one given; at most 500. */
    async lapsed({ until, id }: Pick<LapsedApproval, 'until' | 'id'> = BEFORE_ALL): Promise<LapsedApproval[]> {
      return run<LapsedApproval>(pool, LAPSED, [now(), until, id])
    },
  }
}

/** Finds people in the order of their identities: a statement for all of a kind. */
function finder(
  pool: Database['pool'],
  vault: Vault,
): (tenantId: string, identities: readonly Identity[]) => Promise<(Person | undefined)[]> {
  return async (tenantId, identities) => {
    const wanted = identities.map(({ kind, value }) => ({ kind, hashes: vault.identityHashes(kind, tenantId, value) }))
    const byHash = new Map<string, Person>()
    const read = async (kind: Identity['kind']): Promise<void> => {
      const hashes = wanted.flatMap((one) => (one.kind === kind ? one.hashes : []))
      if (hashes.length === 0) return
      const rows = await run<PersonRow & { foundBy: string }>(pool, FIND_BY[kind], [tenantId, hashes])
      for (const { foundBy, ...row } of rows) byHash.set(foundBy, personFromRow(row))
    }
    await Promise.all([read('email'), read('wallet')])
    return wanted.map(({ hashes }) => hashes.map((hash) => byHash.get(hash)).find((person) => person !== undefined))
  }
}

/** What an identity is sealed for, also a linked one: it does not open in another person's row. */
export function identityContext(kind: 'email' | 'wallet', tenantId: string, personId: string): string {
  return `kyc-${kind}:${tenantId}:${personId}`
}

function first(rows: PersonRow[]): Person | undefined {
  const [row] = rows
  return row && personFromRow(row)
}

function must(rows: PersonRow[]): Person {
  const person = first(rows)
  if (!person) throw new Error('a person has gone away')
  return person
}
