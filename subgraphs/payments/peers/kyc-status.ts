import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'

/** How far a payer's identity verification is: no record with a session, one that is not approved, an approved one. */
export type KycStatus = 'no_record' | 'not_approved' | 'approved'

/** Whose status to read; a wallet only where the payer sent one. */
export interface KycSubject {
  email: string
  wallet: string | null
}

const KYC_STATUS = parse(/* GraphQL */ `
  query KycStatus($email: String, $wallet: String) {
    kycStanding(email: $email, wallet: $wallet) {
      state
    }
  }
`)

const STATUS_OF: Readonly<Record<string, KycStatus>> = {
  NO_RECORD: 'no_record',
  NOT_APPROVED: 'not_approved',
  APPROVED: 'approved',
}

/**
 * The better of the statuses of a payer's e-mail address and wallet.
 * @param kyc absent where the deployment has no identity verification: then nobody has a record
 */
export async function readKycStatus(
  kyc: SubgraphExecutor | undefined,
  context: RequestContext,
  { email, wallet }: KycSubject,
): Promise<KycStatus> {
  if (!kyc) return 'no_record'
  const { kycStanding } = await askPeer<{ kycStanding: { state: string } }>(kyc, KYC_STATUS, { email, wallet }, context)
  const status = STATUS_OF[kycStanding.state]
  if (!status) throw new Error('the kyc subgraph answered an unknown status')
  return status
}
