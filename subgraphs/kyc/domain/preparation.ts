import type { Person } from '../store/person.entity.js'
import { statusNow, type KycStatus } from './kyc-status.js'

/** The status of a prepared person; holds nothing personal, as it is kept under the idempotency key. */
export interface Preparation {
  personId: string
  /** Whether they were not known before. */
  created: boolean
  emailVerified: boolean
  walletVerified: boolean
  kycApproved: boolean
  kycStatus: KycStatus
}

/** What preparing answers about a person: what is proved of them, and where they stand by their own session. */
export function preparationOf(
  person: Person,
  { now, ...proofs }: Pick<Preparation, 'created' | 'emailVerified' | 'walletVerified'> & { now: Date },
): Preparation {
  const kycStatus = statusNow(person, now)
  return { personId: person.id, ...proofs, kycApproved: kycStatus === 'approved', kycStatus }
}
