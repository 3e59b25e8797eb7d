import { Arg, Ctx, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { EmailAddress, Url } from '../../../kernel/scalars.js'
import { graphqlEnum, tenantOf } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { createKycSession, type CreateKycSessionInput as Input } from '../domain/create-kyc-session.js'
import type { SessionOutcome } from '../domain/open-session.js'
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

@Fields<Input>('input', {
  email: { type: () => EmailAddress, description: 'A proved e-mail address.', nullable: true },
  wallet: { type: () => String, description: 'A proved wallet.', nullable: true },
  subjectKind: {
    type: () => KycSubjectKindEnum,
    description: 'A natural person where it is left out.',
    nullable: true,
  },
})
@InputType({ description: 'Whose session to create: an e-mail address, or a wallet.' })
export class CreateKycSessionInput {}

@Fields('answer', {
  sessionId: { type: () => ID, description: "The provider's id of it." },
  sessionUrl: { type: () => Url, description: 'The hosted page.' },
  sessionStatus: { type: () => String, description: "Its status in the provider's own word." },
})
@ObjectType('KycSession', { description: 'A verification session at the provider.' })
export class KycSessionType {}

@Fields('answer', {
  message: { type: () => KycSessionMessageEnum, description: 'What was done.' },
  session: { type: () => KycSessionType, description: 'The session.' },
})
@ObjectType({ description: 'The session to continue.' })
export class CreatedKycSession {}

@Resolver()
export class CreateKycSessionResolver {
  @Mutation(() => CreatedKycSession, { description: 'Creates a hosted verification session, or gives the open one.' })
  async createKycSession(
    @Arg('input', () => CreateKycSessionInput, { description: 'For whom.' }) input: Input,
    @Ctx() context: KycContext,
  ): Promise<object> {
    const { outcome, session } = await createKycSession(context.deps, tenantOf(context), input)
    const { providerSessionId: sessionId, url: sessionUrl, providerStatus: sessionStatus } = session
    return { message: MESSAGE_OF[outcome], session: { sessionId, sessionUrl, sessionStatus } }
  }
}
