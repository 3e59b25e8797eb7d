import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import type { IdSource } from '../../../kernel/ids.js'
import { forgetJobKey } from '../forget-job.js'
import type { Vault } from '../vault.js'
import type { VerifierDecision, VerifierSession } from '../verifiers/verifier.js'
import type { QuotaOwner } from './session-reads.js'
import { SESSION_COLUMNS, sessionContext, sessionReader, type KycSession, type SessionRow } from './session.entity.js'

const RESERVE = `insert into kyc.session (tenant_id, id, person_id, verifier, subject_kind, public_client_id, is_of_page, status, checked_at, created_at)
  values (?, ?, ?, ?, ?, ?, ?, 'pending', ?::timestamptz, ?::timestamptz) returning ${SESSION_COLUMNS}`

/** Inserts the slot again where a concurrent request has given it back: the provider has begun the session, so it counts. */
const OPEN = `insert into kyc.session (tenant_id, id, person_id, verifier, subject_kind, public_client_id, is_of_page, created_at,
    provider_session_id, url_sealed, status, provider_status, checked_at)
  values (?, ?, ?, ?, ?, ?, ?, ?::timestamptz, ?, ?, ?, ?, clock_timestamp() + ?::float * interval '1 millisecond')
  on conflict (tenant_id, id) do update set provider_session_id = excluded.provider_session_id,
    url_sealed = excluded.url_sealed, status = excluded.status, provider_status = excluded.provider_status,
    checked_at = excluded.checked_at
  returning ${SESSION_COLUMNS}`

/** An answer that was asked for earlier than what is stored loses, whenever it arrives: both by the database's clock. */
const DECIDE = `update kyc.session set status = ?, provider_status = ?, ip_info_sealed = ?, is_blocklisted = ?,
  document_hash = ?, checked_at = ?::timestamptz where tenant_id = ? and id = ? and checked_at <= ?::timestamptz returning ${SESSION_COLUMNS}`

/** What a session was at its provider, where that has begun it, and the key of the job that has it forgotten there. */
interface StrippedSession {
  verifier: string
  providerSessionId: string | null
  key: string
}

const STRIP = `update kyc.session set person_id = null, url_sealed = null, ip_info_sealed = null, is_blocklisted = false,
  document_hash = null, to_forget = provider_session_id, provider_session_id = 'erased:' || id, provider_status = null
  where tenant_id = ? and person_id = ?
  returning verifier, to_forget as "providerSessionId", ${forgetJobKey('tenant_id', 'id')} as key`

const FORGOTTEN = {
  name: 'kyc_session_forgotten',
  text: 'update kyc.session set to_forget = null where verifier = $1 and to_forget = $2',
}

/** Writes of verification sessions. */
export function sessionWrites({ pool }: Database, vault: Vault, clock: Clock, newId: IdSource) {
  const now = (): string => clock.now().toISOString()
  const fromRow = sessionReader(vault)
  const first = ([row]: SessionRow[]): KycSession | undefined => row && fromRow(row)

  return {
    /** Holds a quota until the transaction ends: requests that race for its last slot come one after the other. */
    async lockQuota(em: EntityManager, { tenantId, publicClientId, isOfPage }: QuotaOwner): Promise<void> {
      const name = `kyc-quota:${tenantId}:${isOfPage ? 'pages' : (publicClientId ?? '')}`
      await executeIn(em, 'select pg_advisory_xact_lock(hashtextextended(?, 0))', [name])
    },

    /** Takes a slot of the quota for a session to come. */
    async reserve(
      em: EntityManager,
      place: Pick<KycSession, 'verifier' | 'subjectKind'> & QuotaOwner & { personId: string },
    ): Promise<KycSession> {
      const { tenantId, personId, verifier, subjectKind, publicClientId, isOfPage } = place
      const values = [tenantId, newId(), personId, verifier, subjectKind, publicClientId, isOfPage, now(), now()]
      return must(first(await executeIn<SessionRow>(em, RESERVE, values)))
    },

    /** Gives back the slot of a session that the provider has certainly not begun. */
    async release(em: EntityManager, { tenantId, id }: KycSession): Promise<void> {
      const sql = 'delete from kyc.session where tenant_id = ? and id = ? and provider_session_id is null'
      await executeIn(em, sql, [tenantId, id])
    },

    /** Fills a slot with the session that the provider has begun; the person must be locked. */
    async open(em: EntityManager, place: KycSession, opened: VerifierSession): Promise<KycSession> {
      const { tenantId, id, personId, verifier, subjectKind, publicClientId, isOfPage } = place
      const at = place.createdAt.toISOString()
      const slot = [tenantId, id, personId, verifier, subjectKind, publicClientId, isOfPage, at]
      const url = vault.seal(opened.url, `${sessionContext(tenantId, id)}:url`)
      const session = [opened.sessionId, url, opened.status, opened.providerStatus, clock.aheadMs()]
      return must(first(await executeIn<SessionRow>(em, OPEN, [...slot, ...session])))
    },

    /** Stores what the provider was asked at `askedAt`, a time of `now`; undefined where something newer is stored. */
    async decide(
      em: EntityManager,
      { tenantId, id }: KycSession,
      decision: VerifierDecision,
      askedAt: Date,
    ): Promise<KycSession | undefined> {
      const ipInfo = vault.seal(JSON.stringify(decision.ipInfo), `${sessionContext(tenantId, id)}:ip-info`)
      const at = askedAt.toISOString()
      const { status, providerStatus, isBlocklisted, documentNumber } = decision
      // Of who is not approved nothing is compared, so nothing is kept.
      const isKept = status === 'approved' && documentNumber !== null
      const documentHash = isKept ? vault.documentHash(tenantId, documentNumber) : null
      const values = [status, providerStatus, ipInfo, isBlocklisted, documentHash, at, tenantId, id, at]
      return first(await executeIn<SessionRow>(em, DECIDE, values))
    },

    /**
     * Takes everything out of an erased person's sessions but that they were, which the quota counts, and the provider's id
     * until it has forgotten them.
     */
    strip: (em: EntityManager, tenantId: string, personId: string): Promise<StrippedSession[]> =>
      executeIn<StrippedSession>(em, STRIP, [tenantId, personId]),

    /** Notes that a provider has forgotten a session. */
    async forgotten(verifier: string, providerSessionId: string): Promise<void> {
      await run(pool, FORGOTTEN, [verifier, providerSessionId])
    },
  }
}

function must(session: KycSession | undefined): KycSession {
  if (!session) throw new Error('a session has gone away')
  return session
}
