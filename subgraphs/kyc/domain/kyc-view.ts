import type { KycPersonRecord } from '../store/session-reads.js'
import type { IpInfo } from '../verifiers/verifier.js'
import { statusNow, type KycStatus } from './kyc-status.js'

/** What a tenant can see of a person's verification. */
export interface KycView {
  id: string
  status: KycStatus
  approved: boolean
  /** The provider's own id, word and page; null before the first session. */
  sessionId: string | null
  sessionStatus: string | null
  sessionUrl: string | null
  ipInfo: IpInfo[]
  isBlocklisted: boolean
  updatedAt: Date
}

/** A person and the session that counts, as a tenant sees them now. */
export function kycView({ person, session }: KycPersonRecord, now: Date): KycView {
  const status = statusNow(person, now)
  return {
    id: person.id,
    status,
    approved: status === 'approved',
    sessionId: session?.providerSessionId ?? null,
    sessionStatus: session?.providerStatus ?? null,
    sessionUrl: session?.url ?? null,
    ipInfo: session?.ipInfo ?? [],
    isBlocklisted: session?.isBlocklisted ?? false,
    updatedAt: person.updatedAt,
  }
}
