import { Arg, Ctx, Directive, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import { listOfAtMost } from '../../../kernel/cost-directives.js'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import {
  decideOnPayout,
  releaseHeldPayouts,
  type DecideOnPayoutDeps,
  type PayoutDecision,
} from '../domain/operators/decide-on-payout.js'
import {
  listDecisions,
  listProposals,
  PROPOSALS_MAX,
  type ListDecisionsDeps,
} from '../domain/operators/list-decisions.js'

const PayoutActionEnum = graphqlEnum<PayoutDecision['action']>('PayoutAction', 'What is decided about payouts.', {
  retry: 'They may have another transaction.',
  cancel: 'Their transaction is to pay nobody.',
  resolve: 'They count as paid.',
  release: 'They are paid although something holds them.',
})
const PayoutDecisionStateEnum = graphqlEnum<PayoutDecision['state']>(
  'PayoutDecisionState',
  'Where a decision stands.',
  {
    proposed: 'It waits for another operator, who decides the same within a day.',
    ordered: 'It is about to be carried out.',
    done: 'It was carried out.',
    refused: 'Nothing was done.',
  },
)

@Fields<PayoutDecision>('answer', {
  batchId: {
    type: () => ID,
    description: 'The transaction of the treasury that it is about; of a release, the payment.',
  },
  id: {
    type: () => ID,
    description: 'The id of the decision; of a proposal, what is proposed about what, as `retry:…`.',
  },
  action: { type: () => PayoutActionEnum, description: 'What is decided.' },
  chainName: { type: () => String, nullable: true, description: 'The chain; null of a proposal.' },
  state: { type: () => PayoutDecisionStateEnum, description: 'Where it stands.' },
  reason: { type: () => String, nullable: true, description: 'Why.' },
  orderedBy: { type: () => String, nullable: true, description: 'Who decided it; null of a proposal.' },
  orderedAt: { type: () => DateTime, nullable: true, description: 'When; null of a proposal.' },
  proposedBy: { type: () => String, nullable: true, description: 'Who proposed it, where two people are needed.' },
  result: { type: () => String, nullable: true, description: 'What came of it, or why nothing was done.' },
  endedAt: { type: () => DateTime, nullable: true, description: 'When it ended.' },
})
@ObjectType('PayoutDecision', { description: 'What an operator has decided about payouts, or proposes.' })
class PayoutDecisionType {}

const PayoutDecisionConnection = connectionType('PayoutDecision', () => PayoutDecisionType, {
  noun: 'a decision about payouts',
  order: 'the newest first',
})

const TRANSACTION = { description: 'The id of a transaction of the treasury, or the hash of one of its versions.' }
const REASON = { description: 'Why; at most 500 characters.' }

@Resolver()
export class PayoutDecisionsResolver {
  @Query(() => PayoutDecisionConnection, {
    nullable: true,
    description: 'For operators: what was decided about payouts, and what came of it, newest first.',
  })
  payoutDecisions(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: SubgraphContext<ListDecisionsDeps>,
  ): Promise<Connection<PayoutDecision>> {
    operatorOf(context)
    return listDecisions(context.deps, { first, after })
  }

  @Directive(listOfAtMost(PROPOSALS_MAX))
  @Query(() => [PayoutDecisionType], {
    nullable: true,
    description: 'For operators: what waits for another one to decide the same, newest first, at most 100.',
  })
  payoutProposals(@Ctx() context: SubgraphContext<ListDecisionsDeps>): Promise<PayoutDecision[]> {
    operatorOf(context)
    return listProposals(context.deps)
  }

  @Mutation(() => PayoutDecisionType, {
    description:
      'For operators: lets the payouts that a transaction holds have another one, where it is proven that it can never land.',
  })
  retryPayout(
    @Arg('transaction', () => ID, TRANSACTION) transaction: string,
    @Arg('reason', () => String, REASON) reason: string,
    @Ctx() context: SubgraphContext<DecideOnPayoutDeps>,
  ): Promise<PayoutDecision> {
    return decideOnPayout(context.deps, operatorOf(context), { action: 'retry', transaction, reason })
  }

  @Mutation(() => PayoutDecisionType, {
    description:
      'For operators: a transaction that is in no block pays nobody, if that can still be had; its payouts are held then.',
  })
  cancelPayout(
    @Arg('transaction', () => ID, TRANSACTION) transaction: string,
    @Arg('reason', () => String, REASON) reason: string,
    @Ctx() context: SubgraphContext<DecideOnPayoutDeps>,
  ): Promise<PayoutDecision> {
    return decideOnPayout(context.deps, operatorOf(context), { action: 'cancel', transaction, reason })
  }

  @Mutation(() => PayoutDecisionType, {
    description: 'For operators: counts the receivers whom a transaction holds as paid, because they are.',
  })
  resolvePayout(
    @Arg('transaction', () => ID, TRANSACTION) transaction: string,
    @Arg('reason', () => String, REASON) reason: string,
    @Ctx() context: SubgraphContext<DecideOnPayoutDeps>,
  ): Promise<PayoutDecision> {
    return decideOnPayout(context.deps, operatorOf(context), { action: 'resolve', transaction, reason })
  }

  @Mutation(() => PayoutDecisionType, {
    description: "For operators: has a payment's receivers paid although something holds them.",
  })
  releasePayouts(
    @Arg('paymentId', () => ID, { description: 'The payment.' }) paymentId: string,
    @Arg('reason', () => String, REASON) reason: string,
    @Ctx() context: SubgraphContext<DecideOnPayoutDeps>,
  ): Promise<PayoutDecision> {
    return releaseHeldPayouts(context.deps, operatorOf(context), { paymentId, reason })
  }
}
