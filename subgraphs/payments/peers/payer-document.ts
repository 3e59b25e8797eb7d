import { parse } from 'graphql'
import { askPeer } from '../../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../../kernel/subgraph.js'
import type { KycSubject } from './kyc-status.js'
import { wordIn } from './word-in.js'

const COMPARISONS = ['equal', 'different', 'unknown'] as const
/** How a tax id stands to the document of a verified person, which may be unknown. */
export type PayerDocument = (typeof COMPARISONS)[number]

/** Whose document is compared with which tax id, without punctuation. */
export interface DocumentSubject extends KycSubject {
  document: string
}

const PAYER_DOCUMENT = parse(/* GraphQL */ `
  query PayerDocument($email: String, $wallet: String, $document: String!) {
    kycDocumentStanding(email: $email, wallet: $wallet, document: $document) {
      comparison
    }
  }
`)

interface Answer {
  kycDocumentStanding: { comparison: string }
}

/**
 * How a payer's tax id stands to the document of the verified person whom the e-mail address and the wallet name.
 * @param kyc absent where the deployment has no identity verification: then nobody's document is known
 */
export async function readPayerDocument(
  kyc: SubgraphExecutor | undefined,
  context: RequestContext,
  { email, wallet, document }: DocumentSubject,
): Promise<PayerDocument> {
  if (!kyc) return 'unknown'
  const variables = { email, wallet, document }
  const { kycDocumentStanding } = await askPeer<Answer>(kyc, PAYER_DOCUMENT, variables, context)
  const message = 'the kyc subgraph answered an unknown comparison'
  return wordIn(COMPARISONS, kycDocumentStanding.comparison, message)
}
