import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf, type Selected } from '../../../kernel/columns.js'
import type { KycStatus } from '../domain/kyc-status.js'
import type { Vault } from '../vault.js'
import type { IpInfo, SubjectKind } from '../verifiers/verifier.js'

const properties = {
  tenantId: p.string().primary(),
  id: p.string().primary(),
  /** Null once the person was erased; the row still counts for the quota. */
  personId: p.string().nullable(),
  verifier: p.string(),
  subjectKind: p.string().$type<SubjectKind>(),
  /** Null before the provider has answered: the row is only a slot of the quota. */
  providerSessionId: p.string().nullable(),
  urlSealed: p.text().nullable(),
  status: p.string().$type<KycStatus>(),
  providerStatus: p.string().nullable(),
  ipInfoSealed: p.text().nullable(),
  isBlocklisted: p.boolean(),
  /** Of the document of a person who is approved, as the vault hashes it; null where the provider shows none. */
  documentHash: p.text().nullable(),
  /** When the provider was asked for what is stored here. */
  checkedAt: p.datetime(3),
  createdAt: p.datetime(3),
  /** The integration whose quota it counts for; null for the tenant's default one. */
  publicClientId: p.string().nullable(),
  /** Whether it counts for the quota of the tenant's payment pages, and so for no integration's. */
  isOfPage: p.boolean(),
}

/** A verification session's row. */
export const SessionEntity = defineEntity({ name: 'Session', tableName: 'session', properties })
type StoredSession = Selected<InferEntity<typeof SessionEntity>, keyof typeof properties>

/** One verification session, opened. */
export type KycSession = Omit<StoredSession, 'urlSealed' | 'ipInfoSealed'> & { url: string | null; ipInfo: IpInfo[] }

/** The columns of a session, as `sessionReader` takes them. */
export const SESSION_COLUMNS = columnsOf(Object.keys(properties))

/** What a session's secrets are sealed for. */
export function sessionContext(tenantId: string, id: string): string {
  return `kyc-session:${tenantId}:${id}`
}

/** Sealed, and with times as the driver gives them. */
export type SessionRow = Omit<StoredSession, 'checkedAt' | 'createdAt'> & { checkedAt: string; createdAt: string }

/** Opens sessions as the database has them. */
export function sessionReader(vault: Vault): (row: SessionRow) => KycSession {
  return ({ urlSealed, ipInfoSealed, checkedAt, createdAt, ...row }) => {
    const context = sessionContext(row.tenantId, row.id)
    return {
      ...row,
      url: urlSealed === null ? null : vault.open(urlSealed, `${context}:url`),
      ipInfo: ipInfoSealed === null ? [] : (JSON.parse(vault.open(ipInfoSealed, `${context}:ip-info`)) as IpInfo[]),
      checkedAt: new Date(checkedAt),
      createdAt: new Date(createdAt),
    }
  }
}
