import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql'
import { JsonValue } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { CALLBACK_VERDICTS, receiveCallback, type CallbackVerdict } from '../domain/receive-callback.js'

const KycCallbackVerdictEnum = graphqlEnum(
  'KycCallbackVerdict',
  'What a provider is answered to its callback.',
  CALLBACK_VERDICTS,
)

@Resolver()
export class ReceiveCallbackResolver {
  @Directive('@inaccessible')
  @Mutation(() => KycCallbackVerdictEnum, { description: "Takes a verification provider's callback." })
  receiveKycCallback(
    @Arg('verifier', () => String, { description: 'The name in its path.' }) verifier: string,
    @Arg('body', () => String, { description: 'The raw bytes, base64.' }) body: string,
    @Arg('headers', () => JsonValue, { description: 'By lower-case name.' }) headers: unknown,
    @Ctx() context: KycContext,
  ): Promise<CallbackVerdict> {
    const rawBody = Buffer.from(body, 'base64')
    return receiveCallback(context.deps, { verifier, rawBody, headers: headers as Record<string, string> })
  }
}
