import type { Person } from '../store/people.js'
import { statusFor, type KycStatus } from './kyc-status.js'

/** Where somebody who was prepared stands; holds nothing personal, as it is kept under the idempotency key. */
export interface Preparation {
  personId: string
  /** Whether they were not known before. */
  created: boolean
  emailVerified: boolean
  walletVerified: boolean
  kycApproved: boolean
  kycStatus: KycStatus
}

/** What preparing answers about a person, seen by the identity that was sent. */
export function preparationOf(
  person: Person,
  identity: 'email' | 'wallet',
  { created, now }: { created: boolean; now: Date },
): Preparation {
  const kycStatus = statusFor(person, identity, now)
  return {
    personId: person.id,
    created,
    emailVerified: person.emailVerifiedAt !== null,
    walletVerified: person.walletVerifiedAt !== null,
    kycApproved: kycStatus === 'approved',
    kycStatus,
  }
}
