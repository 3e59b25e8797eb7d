import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'
import { wordIn } from './word-in.js'

const STATUSES = ['no_record', 'not_approved', 'approved'] as const
/** How far a payer's identity verification is: no record with a session, one that is not approved, an approved one. */
export type KycStatus = (typeof STATUSES)[number]

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
  return wordIn(STATUSES, kycStanding.state, 'the kyc subgraph answered an unknown status')
}
