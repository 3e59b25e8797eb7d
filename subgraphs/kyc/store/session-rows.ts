import type { KycStatus } from '../domain/kyc-status.js'
import type { Vault } from '../vault.js'
import type { IpInfo, SubjectKind } from '../verifiers/verifier.js'

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

/** The columns of a session, as `sessionReader` takes them. */
export const SESSION_COLUMNS = `tenant_id as "tenantId", id, person_id as "personId", verifier, subject_kind as "subjectKind",
  provider_session_id as "providerSessionId", url_sealed as "urlSealed", status, provider_status as "providerStatus",
  ip_info_sealed as "ipInfoSealed", is_blocklisted as "isBlocklisted", checked_at as "checkedAt", created_at as "createdAt"`

/** What a session's secrets are sealed for. */
export function sessionContext(tenantId: string, id: string): string {
  return `kyc-session:${tenantId}:${id}`
}

/** Sealed, and with times as the driver gives them. */
export type SessionRow = Omit<KycSession, 'url' | 'ipInfo' | 'checkedAt' | 'createdAt'> & {
  urlSealed: string | null
  ipInfoSealed: string | null
  checkedAt: string
  createdAt: string
}

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
