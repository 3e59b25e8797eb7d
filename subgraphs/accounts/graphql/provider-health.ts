import { Ctx, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { ProviderFailure } from '../../../kernel/provider-health/provider-calls.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, operatorOf } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import {
  listProviderHealth,
  type CallFigures,
  type ProviderHealth,
  type ProviderState,
} from '../providers/list-provider-health.js'

const ProviderStateEnum = graphqlEnum<ProviderState>('ProviderState', 'Whether a provider answers.', {
  answering: 'Its last call was answered, if only by a refusal of what was asked.',
  failing: 'Its last call failed.',
  not_called: 'No process that ran within a day has called it.',
})

const ProviderFailureEnum = graphqlEnum<ProviderFailure>('ProviderFailure', 'How a provider failed.', {
  unavailable: 'It could not be reached, or failed by itself.',
  timeout: 'It did not answer in time.',
  rate_limited: 'It was asked too often.',
  auth: 'It did not take our credentials.',
  protocol: 'It answered something that its interface does not know.',
})

@Fields<CallFigures>('answer', {
  calls: { type: () => Int, description: 'How many calls there were; one that was tried again counts each time.' },
  failures: { type: () => Int, description: 'How many of them failed.' },
  medianMs: {
    type: () => Int,
    nullable: true,
    description: 'How long the middle one took, in milliseconds, to a fifth; null where there was none.',
  },
  slowestMs: { type: () => Int, nullable: true, description: 'How long the slowest one took, in milliseconds.' },
})
@ObjectType('ProviderCalls', { description: 'The calls of a provider in a time.' })
class ProviderCallsType {}

@Fields<ProviderHealth>('answer', {
  provider: { type: () => String, description: 'Its name, such as `pix`; `chain` for the nodes of chains.' },
  chain: { type: () => String, nullable: true, description: 'The chain, where one is asked.' },
  host: { type: () => String, nullable: true, description: 'The host of its address.' },
  state: { type: () => ProviderStateEnum, description: 'Whether it answers.' },
  since: { type: () => DateTime, nullable: true, description: 'Since when that is so.' },
  lastAnswerAt: { type: () => DateTime, nullable: true, description: 'When it last answered.' },
  lastFailureAt: { type: () => DateTime, nullable: true, description: 'When it last failed.' },
  lastFailure: { type: () => ProviderFailureEnum, nullable: true, description: 'How it last failed.' },
  last5Minutes: { type: () => ProviderCallsType, description: 'Its calls in the last five minutes.' },
  last60Minutes: { type: () => ProviderCallsType, description: 'Its calls in the last hour.' },
})
@ObjectType('ProviderHealth', { description: 'How a provider does, by the calls that all processes have made.' })
class ProviderHealthType {}

@Resolver()
export class ProviderHealthResolver {
  @Query(() => [ProviderHealthType], {
    nullable: true,
    description:
      'For operators: how the providers do that the deployment calls, by name, chain and host. Figures are a minute old at most.',
  })
  providerHealth(@Ctx() context: AccountsContext): Promise<ProviderHealth[]> {
    operatorOf(context)
    return listProviderHealth(context.deps)
  }
}
