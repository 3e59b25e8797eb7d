import { Arg, Ctx, Directive, Mutation, Resolver } from 'type-graphql'
import { JsonValue } from '../../../kernel/scalars.js'
import { internalEnum } from '../../../kernel/subgraph.js'
import type { KycContext } from '../deps.js'
import { receiveCallback, type CallbackVerdict } from '../domain/receive-callback.js'

const KycCallbackVerdictEnum = internalEnum<CallbackVerdict>(
  'KycCallbackVerdict',
  'What a provider is answered to its callback.',
  {
    accepted: 'It was taken, or was taken before.',
    refused: 'Its signature or age is wrong.',
    malformed: 'It cannot be read.',
    unknown_verifier: 'No verifier has this name.',
  },
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
