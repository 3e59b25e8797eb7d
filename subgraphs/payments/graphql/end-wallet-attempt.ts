import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { endWalletAttempt, type EndWalletAttemptDeps } from '../domain/transfers/end-wallet-attempt.js'
import type { Payment } from '../store/payment.entity.js'
import { PaymentType } from './payment.type.js'

@Resolver()
export class EndWalletAttemptResolver {
  @Mutation(() => PaymentType, {
    description:
      'Ends the attempt of a wallet that has paid nothing, so that the payer can choose another way. What the chain shows as sent counts, and cannot be ended.',
  })
  endWalletAttempt(
    @Arg('id', () => ID, { description: 'The payment.' }) id: string,
    @Ctx() context: SubgraphContext<EndWalletAttemptDeps>,
  ): Promise<Payment> {
    return endWalletAttempt(context.deps, tenantOf(context), { id })
  }
}
