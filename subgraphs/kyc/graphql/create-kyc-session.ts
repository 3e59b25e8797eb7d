import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { EmailAddress, Url } from '../../../kernel/scalars.js'
import { graphqlEnum, tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { createKycSession } from '../domain/create-kyc-session.js'
import type { SessionOutcome } from '../domain/open-session.js'
import type { SubjectKind } from '../verifiers/verifier.js'
import { KycSubjectKindEnum } from './kyc.type.js'

/** REST shows these words as they are. */
const MESSAGE_OF = {
  created: 'kyc_session_created',
  resumed: 'kyc_session_resumed',
  already_approved: 'kyc_already_approved',
} as const satisfies Record<SessionOutcome, string>

const KycSessionMessageEnum = graphqlEnum<(typeof MESSAGE_OF)[SessionOutcome]>(
  'KycSessionMessage',
  'Whether a session was begun, resumed, or is not needed.',
  {
    kyc_session_created: 'A session was begun.',
    kyc_session_resumed: 'The open session is resumed.',
    kyc_already_approved: 'The verification is approved: no session is needed.',
  },
)

@InputType({ description: 'Whose session to create: an e-mail address, or a wallet.' })
export class CreateKycSessionInput {
  @Field(() => EmailAddress, { nullable: true, description: 'A proved e-mail address.' })
  email?: string | null

  @Field(() => String, { nullable: true, description: 'A proved wallet.' })
  wallet?: string | null

  @Field(() => KycSubjectKindEnum, { nullable: true, description: 'A natural person where it is left out.' })
  subjectKind?: SubjectKind | null
}

@ObjectType('KycSession', { description: 'A verification session at the provider.' })
export class KycSessionType {
  @Field(() => ID, { description: "The provider's id of it." })
  sessionId!: string | null

  @Field(() => Url, { description: 'The hosted page.' })
  sessionUrl!: string | null

  @Field(() => String, { description: "Its status in the provider's own word." })
  sessionStatus!: string | null
}

@ObjectType({ description: 'The session to continue.' })
export class CreatedKycSession {
  @Field(() => Boolean, { description: 'Always true.' })
  success!: boolean

  @Field(() => KycSessionMessageEnum, { description: 'What was done.' })
  message!: string

  @Field(() => KycSessionType, { description: 'The session.' })
  session!: KycSessionType
}

@Resolver()
export class CreateKycSessionResolver {
  @Mutation(() => CreatedKycSession, { description: 'Creates a hosted verification session, or gives the open one.' })
  async createKycSession(
    @Arg('input', () => CreateKycSessionInput, { description: 'For whom.' }) input: CreateKycSessionInput,
    @Ctx() context: KycContext,
  ): Promise<CreatedKycSession> {
    const { outcome, session } = await createKycSession(context.deps, tenantOf(context), input)
    const { providerSessionId: sessionId, url: sessionUrl, providerStatus: sessionStatus } = session
    return { success: true, message: MESSAGE_OF[outcome], session: { sessionId, sessionUrl, sessionStatus } }
  }
}
