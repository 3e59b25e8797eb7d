import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import type { Vault } from '../vault.js'
import { PERSON_COLUMNS, personFromRow, type Person, type PersonRow } from './person.entity.js'
import { SESSION_COLUMNS, sessionReader, type KycSession, type SessionRow } from './session.entity.js'

const FIND_MANY = {
  name: 'kyc_session_find_many',
  text: `select ${SESSION_COLUMNS} from kyc.session where tenant_id = $1 and id = any($2)`,
}

/** Person and session in one statement: read one after the other, they may be from before and after a change. */
const recordsWhere = (condition: string): string =>
  `select p.*, s.session from (select ${PERSON_COLUMNS} from kyc.person where tenant_id = $1 and ${condition}) p
    left join lateral (select to_json(x) as session from (
      select ${SESSION_COLUMNS} from kyc.session where tenant_id = p."tenantId" and id = p."sessionId") x) s on true`

const FIND_RECORDS = { name: 'kyc_records_find', text: recordsWhere('id = any($2)') }

const LIST_RECORDS = {
  name: 'kyc_records_list',
  text: `${recordsWhere('($2::text is null or id < $2) order by id desc limit $3')} order by p.id desc`,
}

const FIND_BY_PROVIDER = {
  name: 'kyc_session_by_provider',
  text: `select ${SESSION_COLUMNS} from kyc.session where verifier = $1 and provider_session_id = $2 and person_id is not null`,
}

/**
 * Counts for the quota: what was created in the window. A slot whose request died before the provider answered counts for
 * an hour, in which the same person's next request takes it up.
 */
const COUNT = `select count(*)::int as used from kyc.session where tenant_id = ?
  and public_client_id is not distinct from ? and is_of_page = ? and created_at > ?::timestamptz
  and (provider_session_id is not null or created_at > ?::timestamptz)`
const UNANSWERED_COUNTS_MS = 3_600_000

/** In product time, which may be ahead of the database's. */
const NOW = {
  name: 'kyc_session_now',
  text: `select to_json(clock_timestamp() + $1::float * interval '1 millisecond') #>> '{}' as now`,
}

/** Whose quota is meant: an integration's, or that of all payment pages of a tenant. */
export type QuotaOwner = Pick<KycSession, 'tenantId' | 'publicClientId' | 'isOfPage'>

/** A person, and the session that counts. */
export interface KycPersonRecord {
  person: Person
  session: KycSession | undefined
}

type RecordRow = PersonRow & { session: SessionRow | null }

/** Reads of verification sessions. */
export function sessionReads({ pool }: Database, vault: Vault, clock: Clock) {
  const fromRow = sessionReader(vault)
  const recordFromRow = ({ session, ...person }: RecordRow): KycPersonRecord => ({
    person: personFromRow(person),
    session: session ? fromRow(session) : undefined,
  })
  const first = ([row]: SessionRow[]): KycSession | undefined => row && fromRow(row)

  return {
    /**
     * The time at which a provider is asked, by the one clock that all processes have. By their own, an answer that one whose
     * clock is behind has asked for last would look older than what another has stored before, and be dropped.
     */
    async now(): Promise<Date> {
      const [row] = await run<{ now: string }>(pool, NOW, [clock.aheadMs()])
      if (!row) throw new Error('the time was not returned')
      return new Date(row.now)
    },

    /** The sessions in the order of `ids`, undefined where the tenant has none. */
    async findMany(tenantId: string, ids: readonly string[]): Promise<(KycSession | undefined)[]> {
      const rows = await run<SessionRow>(pool, FIND_MANY, [tenantId, ids])
      const byId = new Map(rows.map((row) => [row.id, fromRow(row)]))
      return ids.map((id) => byId.get(id))
    },

    /** People as they are now, with the sessions that count, in the order of `personIds`; undefined where there is none. */
    async findRecords(tenantId: string, personIds: readonly string[]): Promise<(KycPersonRecord | undefined)[]> {
      const rows = await run<RecordRow>(pool, FIND_RECORDS, [tenantId, personIds])
      const byId = new Map(rows.map((row) => [row.id, recordFromRow(row)]))
      return personIds.map((id) => byId.get(id))
    },

    /** Newest first, at most `limit`, those made before `afterId`. */
    async listRecords(
      tenantId: string,
      { limit, afterId }: { limit: number; afterId: string | undefined },
    ): Promise<KycPersonRecord[]> {
      return (await run<RecordRow>(pool, LIST_RECORDS, [tenantId, afterId ?? null, limit])).map(recordFromRow)
    },

    async findIn(em: EntityManager, tenantId: string, id: string): Promise<KycSession | undefined> {
      return first(
        await executeIn(em, `select ${SESSION_COLUMNS} from kyc.session where tenant_id = ? and id = ?`, [
          tenantId,
          id,
        ]),
      )
    },

    /** The session of a callback, of any tenant; undefined where it is not ours or its person was erased. */
    async findByProvider(verifier: string, providerSessionId: string): Promise<KycSession | undefined> {
      return first(await run<SessionRow>(pool, FIND_BY_PROVIDER, [verifier, providerSessionId]))
    },

    async ofPerson(em: EntityManager, tenantId: string, personId: string): Promise<KycSession[]> {
      const sql = `select ${SESSION_COLUMNS} from kyc.session where tenant_id = ? and person_id = ? order by created_at`
      return (await executeIn<SessionRow>(em, sql, [tenantId, personId])).map(fromRow)
    },

    /** The slots that were taken of a quota in the last `windowMs`. Only exact behind `lockQuota`. */
    async countSince(em: EntityManager, owner: QuotaOwner, windowMs: number): Promise<number> {
      const { tenantId, publicClientId, isOfPage } = owner
      const before = (ms: number): string => new Date(clock.now().getTime() - ms).toISOString()
      const values = [tenantId, publicClientId, isOfPage, before(windowMs), before(UNANSWERED_COUNTS_MS)]
      const [row] = await executeIn<{ used: number }>(em, COUNT, values)
      return row?.used ?? 0
    },
  }
}
