import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { DateTime, Url } from '../../../kernel/scalars.js'
import { graphqlEnum, internalEnum } from '../../../kernel/subgraph.js'
import type { PayerStatus } from '../domain/payer-status.js'
import type { KycStatus } from '../domain/kyc-status.js'
import type { SubjectKind } from '../verifiers/verifier.js'

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

@ObjectType('IpInfo', { description: 'Where from, and with what device, the subject was verified.' })
export class IpInfoType {
  @Field(() => String, { nullable: true, description: 'The country of the connection.' })
  country!: string | null

  @Field(() => String, { nullable: true, description: 'Its code of two letters.' })
  countryCode!: string | null

  @Field(() => String, { nullable: true, description: 'The city of the connection.' })
  city!: string | null

  @Field(() => String, { nullable: true, description: 'The internet provider.' })
  isp!: string | null

  @Field(() => Boolean, { description: 'Whether it came through a VPN or Tor.' })
  isVpnOrTor!: boolean

  @Field(() => Boolean, { description: 'Whether it came from a data center.' })
  isDataCenter!: boolean

  @Field(() => String, { nullable: true, description: 'Who made the device.' })
  deviceBrand!: string | null

  @Field(() => String, { nullable: true, description: 'Which device.' })
  deviceModel!: string | null

  @Field(() => String, { nullable: true, description: 'Which browser.' })
  browserFamily!: string | null

  @Field(() => String, { nullable: true, description: 'Which operating system.' })
  osFamily!: string | null

  @Field(() => String, { nullable: true, description: '`mobile`, `tablet` or `desktop`.' })
  platform!: string | null
}

@ObjectType({ description: "A person's or business's identity verification." })
export class KycRecord {
  @Field(() => ID, { description: 'An opaque id of the person or business.' })
  id!: string

  @Field(() => KycStatusEnum, { description: 'Where it stands.' })
  status!: KycStatus

  @Field(() => Boolean, { description: 'Whether it stands at APPROVED.' })
  approved!: boolean

  @Field(() => ID, { nullable: true, description: "The verification provider's id of the session." })
  sessionId!: string | null

  @Field(() => String, { nullable: true, description: "The session's status in the provider's own word." })
  sessionStatus!: string | null

  @Field(() => Url, { nullable: true, description: 'The hosted page of the session.' })
  sessionUrl!: string | null

  @Field(() => [IpInfoType], { description: 'Connections and devices, each once.' })
  ipInfo!: IpInfoType[]

  @Field(() => Boolean, { description: 'Whether a document or a face is on a blocklist.' })
  isBlocklisted!: boolean

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: Date
}

@ObjectType({ description: 'Where a prepared verification stands.' })
export class KycPreparation {
  @Field(() => Boolean, { description: 'Whether they were not known before.' })
  created!: boolean

  @Field(() => Boolean, { description: 'Whether the e-mail address is proved.' })
  emailVerified!: boolean

  @Field(() => Boolean, { description: 'Whether the wallet is proved.' })
  walletVerified!: boolean

  @Field(() => Boolean, { description: 'Whether the verification is approved.' })
  kycApproved!: boolean

  @Field(() => KycStatusEnum, { description: 'Where the verification stands.' })
  kycStatus!: KycStatus
}

@Directive('@inaccessible')
@ObjectType({ description: 'The status of a payer.' })
export class KycStanding {
  @Field(() => KycStandingStateEnum, { description: 'The better of the e-mail address and the wallet.' })
  state!: PayerStatus
}
