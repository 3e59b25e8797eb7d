import { Arg, Ctx, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { pause, resume, type ChangePausesDeps, type PausedPayouts } from '../domain/operators/change-pauses.js'
import type { PayoutPause } from '../store/payout-pauses.js'

@Fields<Required<PayoutPause>>('answer', {
  chainName: { type: () => String, nullable: true, description: 'The chain; null for every one.' },
  tenantId: { type: () => ID, nullable: true, description: 'The tenant; null for every one.' },
  reason: { type: () => String, description: 'Why.' },
  since: { type: () => DateTime, description: 'Since when.' },
})
@ObjectType('PayoutPause', { description: 'Payouts that are paused.' })
class PayoutPauseType {}

@Fields<PausedPayouts>('answer', {
  pauses: { type: () => [PayoutPauseType], description: 'Each pause, the oldest first.' },
})
@ObjectType('PausedPayouts', { description: 'Which payouts are paused.' })
class PausedPayoutsType {}

const CHAIN = { nullable: true, description: 'Of this chain; of every one where left out.' } as const
const TENANT = { nullable: true, description: 'Of this tenant; of every one where left out.' } as const

@Resolver()
export class PayoutPausesResolver {
  @Query(() => PausedPayoutsType, { nullable: true, description: 'For operators: which payouts are paused.' })
  async pausedPayouts(@Ctx() context: SubgraphContext<ChangePausesDeps>): Promise<PausedPayouts> {
    operatorOf(context)
    return { pauses: await context.deps.pauses.list() }
  }

  @Mutation(() => PausedPayoutsType, {
    description: 'For operators: pays nobody of these until it is resumed; nothing else stops.',
  })
  pausePayouts(
    @Arg('chainName', () => String, CHAIN) chainName: string | null,
    @Arg('tenantId', () => ID, TENANT) tenantId: string | null,
    @Arg('reason', () => String, { description: 'Why; at most 500 characters.' }) reason: string,
    @Ctx() context: SubgraphContext<ChangePausesDeps>,
  ): Promise<PausedPayouts> {
    operatorOf(context)
    return pause(context.deps, { chainName, tenantId, reason })
  }

  @Mutation(() => PausedPayoutsType, {
    description: 'For operators: ends the pause of exactly these; another may still hold.',
  })
  resumePayouts(
    @Arg('chainName', () => String, CHAIN) chainName: string | null,
    @Arg('tenantId', () => ID, TENANT) tenantId: string | null,
    @Ctx() context: SubgraphContext<ChangePausesDeps>,
  ): Promise<PausedPayouts> {
    operatorOf(context)
    return resume(context.deps, { chainName, tenantId })
  }
}
