import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import type { KycStatus } from '../domain/kyc-status.js'
import type { Vault } from '../vault.js'
import { PERSON_COLUMNS, personFromRow, type Person, type PersonRow } from './people.js'
import type { IpInfo, SubjectKind, VerifierDecision, VerifierSession } from '../verifiers/verifier.js'

/** One verification session; before the provider has answered it is only a place in the quota. */
export interface KycSession {
  tenantId: string
  id: string
  personId: string | null
  verifier: string
  subjectKind: SubjectKind
  providerSessionId: string | null
  url: string | null
  status: KycStatus
  providerStatus: string | null
  ipInfo: IpInfo[]
  isBlocklisted: boolean
  /** When the provider was asked for what is stored here. */
  checkedAt: Date
  createdAt: Date
}

const COLUMNS = `tenant_id as "tenantId", id, person_id as "personId", verifier, subject_kind as "subjectKind",
  provider_session_id as "providerSessionId", url_sealed as "urlSealed", status, provider_status as "providerStatus",
  ip_info_sealed as "ipInfoSealed", is_blocklisted as "isBlocklisted", checked_at as "checkedAt", created_at as "createdAt"`

const FIND_MANY = {
  name: 'kyc_session_find_many',
  text: `select ${COLUMNS} from kyc.session where tenant_id = $1 and id = any($2)`,
}

/** Person and session in one statement: read one after the other, they may be from before and after a change. */
const FIND_RECORD = {
  name: 'kyc_record_find',
  text: `select p.*, s.session from (select ${PERSON_COLUMNS} from kyc.person where tenant_id = $1 and id = $2) p
    left join lateral (select to_json(x) as session from (
      select ${COLUMNS} from kyc.session where tenant_id = p."tenantId" and id = p."sessionId") x) s on true`,
}

const FIND_BY_PROVIDER = {
  name: 'kyc_session_by_provider',
  text: `select ${COLUMNS} from kyc.session where verifier = $1 and provider_session_id = $2 and person_id is not null`,
}

/**
 * Counts for the quota: what was created in the window. A place whose request died before the provider answered counts for
 * an hour, in which the same person's next request takes it up.
 */
const COUNT = `select count(*)::int as used from kyc.session where tenant_id = ? and created_at > ?::timestamptz
  and (provider_session_id is not null or created_at > ?::timestamptz)`
const UNANSWERED_COUNTS_MS = 3_600_000

const RESERVE = `insert into kyc.session (tenant_id, id, person_id, verifier, subject_kind, status, checked_at, created_at)
  values (?, ?, ?, ?, ?, 'pending', ?::timestamptz, ?::timestamptz) returning ${COLUMNS}`

const OPEN = `update kyc.session set provider_session_id = ?, url_sealed = ?, status = ?, provider_status = ?,
  checked_at = ?::timestamptz where tenant_id = ? and id = ? returning ${COLUMNS}`

/** An answer that was asked for earlier than what is stored loses, whenever it arrives. */
const DECIDE = `update kyc.session set status = ?, provider_status = ?, ip_info_sealed = ?, is_blocklisted = ?,
  checked_at = ?::timestamptz where tenant_id = ? and id = ? and checked_at <= ?::timestamptz returning ${COLUMNS}`

const STRIP = `update kyc.session set person_id = null, url_sealed = null, ip_info_sealed = null, is_blocklisted = false,
  provider_session_id = 'erased:' || id, provider_status = null where tenant_id = ? and person_id = ?`

export type SessionsStore = ReturnType<typeof sessionsStore>

/** Reads and writes of verification sessions. */
export function sessionsStore({ pool }: Database, vault: Vault, clock: Clock, newId: IdSource) {
  const now = (): string => clock.now().toISOString()

  function fromRow({ urlSealed, ipInfoSealed, checkedAt, createdAt, ...row }: SessionRow): KycSession {
    const context = sessionContext(row.tenantId, row.id)
    return {
      ...row,
      url: urlSealed === null ? null : vault.open(urlSealed, `${context}:url`),
      ipInfo: ipInfoSealed === null ? [] : (JSON.parse(vault.open(ipInfoSealed, `${context}:ip-info`)) as IpInfo[]),
      checkedAt: new Date(checkedAt),
      createdAt: new Date(createdAt),
    }
  }

  function first(rows: SessionRow[]): KycSession | undefined {
    const [row] = rows
    return row && fromRow(row)
  }

  return {
    /** The sessions in the order of `ids`, undefined where the tenant has none. */
    async findMany(tenantId: string, ids: readonly string[]): Promise<(KycSession | undefined)[]> {
      const rows = await run<SessionRow>(pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map((row) => [row.id, fromRow(row)]))
      return ids.map((id) => byId.get(id))
    },

    /** A person as they are now, with the session that counts. */
    async findRecord(
      tenantId: string,
      personId: string,
    ): Promise<{ person: Person; session: KycSession | undefined } | undefined> {
      const [row] = await run<PersonRow & { session: SessionRow | null }>(pool, FIND_RECORD, [tenantId, personId])
      if (!row) return undefined
      const { session, ...person } = row
      return { person: personFromRow(person), session: session ? fromRow(session) : undefined }
    },

    async findIn(em: EntityManager, tenantId: string, id: string): Promise<KycSession | undefined> {
      return first(
        await executeIn(em, `select ${COLUMNS} from kyc.session where tenant_id = ? and id = ?`, [tenantId, id]),
      )
    },

    /** The session of a callback, whoever's it is; undefined where it is not ours or its person was erased. */
    async findByProvider(verifier: string, providerSessionId: string): Promise<KycSession | undefined> {
      return first(await run<SessionRow>(pool, FIND_BY_PROVIDER, [verifier, providerSessionId]))
    },

    async ofPerson(em: EntityManager, tenantId: string, personId: string): Promise<KycSession[]> {
      const sql = `select ${COLUMNS} from kyc.session where tenant_id = ? and person_id = ? order by created_at`
      return (await executeIn<SessionRow>(em, sql, [tenantId, personId])).map(fromRow)
    },

    /** The places taken in the last `windowMs`. Only exact behind `lockQuota`. */
    async countSince(em: EntityManager, tenantId: string, windowMs: number): Promise<number> {
      const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
      const values = [tenantId, before(windowMs), before(UNANSWERED_COUNTS_MS)]
      const [row] = await executeIn<{ used: number }>(em, COUNT, values)
      return row?.used ?? 0
    },

    /** Holds the tenant's quota until the transaction ends: those who race for its last place come one after the other. */
    async lockQuota(em: EntityManager, tenantId: string): Promise<void> {
      await executeIn(em, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [`kyc-quota:${tenantId}`])
    },

    /** Takes a place in the quota for a session to come. */
    async reserve(
      em: EntityManager,
      place: Pick<KycSession, 'tenantId' | 'verifier' | 'subjectKind'> & { personId: string },
    ): Promise<KycSession> {
      const values = [place.tenantId, newId(), place.personId, place.verifier, place.subjectKind, now(), now()]
      return must(first(await executeIn<SessionRow>(em, RESERVE, values)))
    },

    /** Gives back the place of a session that the provider has certainly not begun. */
    async release({ tenantId, id }: KycSession): Promise<void> {
      const sql = 'delete from kyc.session where tenant_id = $1 and id = $2 and provider_session_id is null'
      await pool.query(sql, [tenantId, id])
    },

    /** Fills a place with the session that the provider has begun. */
    async open(em: EntityManager, { tenantId, id }: KycSession, opened: VerifierSession): Promise<KycSession> {
      const url = vault.seal(opened.url, `${sessionContext(tenantId, id)}:url`)
      const values = [opened.sessionId, url, opened.status, opened.providerStatus, now(), tenantId, id]
      return must(first(await executeIn<SessionRow>(em, OPEN, values)))
    },

    /** Stores what the provider was asked at `askedAt`; undefined where something newer is stored. */
    async decide(
      em: EntityManager,
      { tenantId, id }: KycSession,
      decision: VerifierDecision,
      askedAt: Date,
    ): Promise<KycSession | undefined> {
      const ipInfo = vault.seal(JSON.stringify(decision.ipInfo), `${sessionContext(tenantId, id)}:ip-info`)
      const at = askedAt.toISOString()
      const values = [decision.status, decision.providerStatus, ipInfo, decision.isBlocklisted, at, tenantId, id, at]
      return first(await executeIn<SessionRow>(em, DECIDE, values))
    },

    /** Gives a person's sessions to another row of the same person. */
    async move(em: EntityManager, tenantId: string, from: string, to: string): Promise<void> {
      const sql = 'update kyc.session set person_id = ? where tenant_id = ? and person_id = ?'
      await executeIn(em, sql, [to, tenantId, from])
    },

    /** Takes everything out of an erased person's sessions but that they were, which the quota counts. */
    async strip(em: EntityManager, tenantId: string, personId: string): Promise<void> {
      await executeIn(em, STRIP, [tenantId, personId])
    },
  }
}

/** What a session's secrets are sealed for. */
export function sessionContext(tenantId: string, id: string): string {
  return `kyc-session:${tenantId}:${id}`
}

type SessionRow = Omit<KycSession, 'url' | 'ipInfo' | 'checkedAt' | 'createdAt'> & {
  urlSealed: string | null
  ipInfoSealed: string | null
  checkedAt: string
  createdAt: string
}

function must(session: KycSession | undefined): KycSession {
  if (!session) throw new Error('a session has gone away')
  return session
}
