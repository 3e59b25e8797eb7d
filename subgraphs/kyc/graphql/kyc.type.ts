import { Directive, ID, ObjectType } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'
import { describedConnection } from '../../../kernel/subgraph-connection.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, internalEnum } from '../../../kernel/subgraph.js'
import type { PayerStatus } from '../domain/payer-status.js'
import type { KycStatus } from '../domain/kyc-status.js'
import type { KycView } from '../domain/kyc-view.js'
import type { Preparation } from '../domain/preparation.js'
import type { DocumentComparison } from '../vault.js'
import type { IpInfo, SubjectKind } from '../verifiers/verifier.js'

export const KycStatusEnum = graphqlEnum<KycStatus>('KycStatus', 'Where a verification stands.', {
  pending: 'It has not begun, or its session is not finished.',
  in_review: "The provider's staff reviews it.",
  approved: 'It is verified.',
  declined: 'It was refused.',
  abandoned: 'The session was left unfinished.',
  expired: 'The session, or an approval, is too old.',
})
export const KycSubjectKindEnum = graphqlEnum<SubjectKind>('KycSubjectKind', 'Who is verified.', {
  person: 'A natural person (KYC).',
  company: 'A business (KYB).',
})
export const WalletChainEnum = graphqlEnum('WalletChain', 'The kind of chain that a wallet is of.', {
  evm: 'Ethereum and the chains that work as it does.',
  solana: 'Solana.',
})
const KycStandingStateEnum = internalEnum<PayerStatus>('KycStandingState', 'The status of a payer.', {
  no_record: 'Nobody that was verified is known.',
  not_approved: 'There is a verification, and it is not approved.',
  approved: 'The verification is approved.',
})
const DocumentComparisonEnum = internalEnum<DocumentComparison>('KycDocumentComparison', 'How a tax id compares.', {
  equal: "It is a verified person's document.",
  different: "It is another one than the verified person's.",
  unknown: 'No document of a verified person is known.',
})

@Fields<IpInfo>('answer', {
  country: { type: () => String, description: 'The country of the connection.', nullable: true },
  countryCode: { type: () => String, description: 'Its code of two letters.', nullable: true },
  state: { type: () => String, description: 'The state or province of the connection.', nullable: true },
  city: { type: () => String, description: 'The city of the connection.', nullable: true },
  isp: { type: () => String, description: 'The internet provider.', nullable: true },
  isVpnOrTor: { type: () => Boolean, description: 'Whether it came through a VPN or Tor.' },
  isDataCenter: { type: () => Boolean, description: 'Whether it came from a data center.' },
  deviceBrand: { type: () => String, description: 'Who made the device.', nullable: true },
  deviceModel: { type: () => String, description: 'Which device.', nullable: true },
  browserFamily: { type: () => String, description: 'Which browser.', nullable: true },
  osFamily: { type: () => String, description: 'Which operating system.', nullable: true },
  platform: {
    type: () => String,
    description: "What kind of device, in the verification provider's own word, e.g. `mobile`, `tablet` or `desktop`.",
    nullable: true,
  },
})
@ObjectType('IpInfo', { description: 'Where from, and with what device, the subject was verified.' })
export class IpInfoType {}

@Directive('@key(fields: "id")')
@Fields<KycView>('answer', {
  id: { type: () => ID, description: 'An opaque id of the person or business.' },
  status: { type: () => KycStatusEnum, description: 'Where it stands.' },
  approved: { type: () => Boolean, description: 'Whether it stands at APPROVED.' },
  sessionId: { type: () => ID, description: "The verification provider's id of the session.", nullable: true },
  sessionStatus: {
    type: () => String,
    description: "The session's status in the provider's own word.",
    nullable: true,
  },
  sessionUrl: { type: () => Url, description: 'The hosted page of the session.', nullable: true },
  ipInfo: { type: () => [IpInfoType], description: 'Connections and devices, each once.' },
  isBlocklisted: { type: () => Boolean, description: 'Whether a document or a face is on a blocklist.' },
  updatedAt: { type: () => DateTime, description: 'When it last changed.' },
})
@ObjectType({ description: "A person's or business's identity verification." })
export class KycRecord {}

export const KycRecordConnection = describedConnection('KycRecord', () => KycRecord, {
  node: 'The verification.',
  edge: 'A verification in a connection.',
  edges: 'The verifications, newest first.',
  page: 'A page of verifications with cursors.',
})

@Fields<Omit<Preparation, 'personId'>>('answer', {
  created: { type: () => Boolean, description: 'Whether they were not known before.' },
  emailVerified: { type: () => Boolean, description: 'Whether the e-mail address is proved.' },
  walletVerified: { type: () => Boolean, description: 'Whether the wallet is proved.' },
  kycApproved: { type: () => Boolean, description: 'Whether the verification is approved.' },
  kycStatus: { type: () => KycStatusEnum, description: 'Where the verification stands.' },
})
@ObjectType({ description: 'Where a prepared verification stands.' })
export class KycPreparation {}

@Directive('@inaccessible')
@Fields('answer', {
  state: { type: () => KycStandingStateEnum, description: 'The better of the e-mail address and the wallet.' },
})
@ObjectType({ description: 'The status of a payer.' })
export class KycStanding {}

@Directive('@inaccessible')
@Fields('answer', {
  comparison: { type: () => DocumentComparisonEnum, description: 'How it compares with what is known.' },
})
@ObjectType({ description: "A payer's tax id beside the verified person's document." })
export class KycDocumentStanding {}
