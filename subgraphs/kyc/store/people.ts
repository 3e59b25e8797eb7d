import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { Identity } from '../domain/identity.js'
import type { KycStatus } from '../domain/kyc-status.js'
import type { Vault } from '../vault.js'

/**
 * A person or business of a tenant, without the one e-mail address or wallet that they are known by: that is sealed, and
 * found by its hash.
 */
export interface Person {
  tenantId: string
  id: string
  /** When the e-mail address or the wallet that they are known by was proved; null before. */
  verifiedAt: Date | null
  /** Whether this is a wallet's person who has sent an e-mail address along. */
  hasLinkedEmail: boolean
  /** What verification providers know them by: opaque. */
  subjectRef: string
  /** Of the session that counts; read it through `statusNow`, as an approval holds for a time only. */
  status: KycStatus
  /** The session that counts, by our id; null before the first one. */
  sessionId: string | null
  approvedUntil: Date | null
  /** Of the person's last event; 0 before the first one. */
  sequence: number
  createdAt: Date
  updatedAt: Date
}

/** What of a person changes besides their identities. */
export type PersonChange = Partial<Pick<Person, 'status' | 'sessionId' | 'approvedUntil' | 'sequence'>>

/** The columns of a person, as `personFromRow` takes them. */
export const PERSON_COLUMNS = `tenant_id as "tenantId", id, coalesce(email_verified_at, wallet_verified_at) as "verifiedAt",
  linked_email_hash is not null as "hasLinkedEmail", coalesce(subject_ref, id) as "subjectRef", status, session_id as "sessionId",
  approved_until as "approvedUntil", sequence, created_at as "createdAt", updated_at as "updatedAt"`

const FIND_BY = {
  email: {
    name: 'kyc_by_email',
    text: `select ${PERSON_COLUMNS} from kyc.person where tenant_id = $1 and email_hash = any($2)`,
  },
  wallet: {
    name: 'kyc_by_wallet',
    text: `select ${PERSON_COLUMNS} from kyc.person where tenant_id = $1 and wallet_hash = any($2)`,
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
  text: `select tenant_id as "tenantId", id from kyc.person where status = 'approved' and approved_until <= $1::timestamptz
    order by approved_until limit 500`,
}

export type PeopleStore = ReturnType<typeof peopleStore>

/** Reads and writes of people. Every read names the tenant first: another's person does not exist. */
export function peopleStore({ pool }: Database, vault: Vault, clock: Clock, newId: IdSource) {
  const now = (): string => clock.now().toISOString()

  return {
    async find(tenantId: string, { kind, value }: Identity): Promise<Person | undefined> {
      const hashes = vault.identityHashes(kind, tenantId, value)
      const [row] = await run<PersonRow>(pool, FIND_BY[kind], [tenantId, hashes])
      return row && personFromRow(row)
    },

    /** As `find`, with the row locked until the transaction ends. */
    async lock(em: EntityManager, tenantId: string, { kind, value }: Identity): Promise<Person | undefined> {
      const hashes = vault.identityHashes(kind, tenantId, value).join(',')
      return first(await executeIn<PersonRow>(em, LOCK_BY[kind], [tenantId, hashes]))
    },

    async lockById(em: EntityManager, tenantId: string, id: string): Promise<Person | undefined> {
      const sql = `select ${PERSON_COLUMNS} from kyc.person where tenant_id = ? and id = ? for update`
      return first(await executeIn<PersonRow>(em, sql, [tenantId, id]))
    },

    /** Lets those who prepare the same identities do so one after the other: between look-up and insert nobody comes in. */
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
      for (const table of ['email_otp', 'email_otp_send', 'person_event'])
        await executeIn(em, `delete from kyc.${table} where tenant_id = ? and person_id = ?`, [tenantId, id])
      await executeIn(em, 'delete from kyc.person where tenant_id = ? and id = ?', [tenantId, id])
    },

    /** Up to 500 people whose approval is over and was not marked so yet. */
    async lapsed(): Promise<Pick<Person, 'tenantId' | 'id'>[]> {
      return run<Pick<Person, 'tenantId' | 'id'>>(pool, LAPSED, [now()])
    },
  }
}

/** What an identity is sealed for, also a linked one: it does not open in another person's row. */
export function identityContext(kind: 'email' | 'wallet', tenantId: string, personId: string): string {
  return `kyc-${kind}:${tenantId}:${personId}`
}

/** Times as the driver gives them. */
export type PersonRow = {
  [Key in keyof Person]: Date extends Person[Key] ? string | Extract<Person[Key], null> : Person[Key]
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

/** A person as the database has them. */
export function personFromRow(row: PersonRow): Person {
  const { verifiedAt, approvedUntil, createdAt, updatedAt } = row
  return {
    ...row,
    verifiedAt: dateOrNull(verifiedAt),
    approvedUntil: dateOrNull(approvedUntil),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
