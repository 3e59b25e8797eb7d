import { Arg, Ctx, InputType, Mutation, ObjectType, Resolver } from 'type-graphql'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { YieldContext } from '../deps.js'
import { broadcastYield, type Broadcast, type BroadcastInput } from '../domain/broadcast-yield.js'
import { yieldTenant } from './yield-tenant.js'

@Fields<BroadcastInput>('input', {
  chainName: { type: () => String, description: 'The chain, e.g. `solana`.' },
  opSigned: {
    type: () => [String],
    description: 'One signed transaction in base64, or the two of a rebalance in their order.',
    nullable: true,
  },
})
@InputType({ description: 'Signed transactions of a yield operation.' })
export class BroadcastYieldInput {}

@Fields<Broadcast>('answer', {
  transactionHash: { type: () => String, description: 'The signature of the last transaction, base58.' },
  transactionHashes: {
    type: () => [String],
    description: 'All signatures in their order, where two were sent.',
    nullable: true,
  },
})
@ObjectType({ description: 'What a broadcast led to.' })
export class YieldBroadcast {}

@Resolver()
export class BroadcastYieldResolver {
  @Mutation(() => YieldBroadcast, {
    description: 'Broadcasts signed transactions, once, and waits until they are final.',
  })
  broadcastYield(
    @Arg('input', () => BroadcastYieldInput, { description: 'What was signed.' }) input: BroadcastInput,
    @Ctx() context: YieldContext,
  ): Promise<Broadcast> {
    return broadcastYield(context.deps, yieldTenant(context), input)
  }
}
