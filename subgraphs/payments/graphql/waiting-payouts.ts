import { Arg, Ctx, ID, Int, ObjectType, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum, operatorOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { listWaitingPayouts, type ListWaitingPayoutsDeps } from '../domain/operators/list-waiting-payouts.js'
import type { PayoutWait, WaitingPayout } from '../store/waiting-payouts.js'

const PayoutWaitEnum = graphqlEnum<PayoutWait>('PayoutWait', 'Why a payout waits.', {
  queued: 'It is its turn: the next transaction pays it.',
  paused: 'Payouts are paused: all, of the chain or of the tenant.',
  delay: "The tenant's delay before payouts; it ends by itself.",
  funds: 'The balances of the treasury are insufficient; it goes on by itself once they are not.',
  screening: "The receiver's wallet cannot be asked about; it goes on by itself.",
  another_try: 'A transaction paid it nothing, or the next one would; it is tried again by itself.',
  treasury_cap: 'It is more than may leave the treasury by itself: an operator decides.',
  wallet_refused: "The receiver's wallet is on a list of sanctions: an operator decides.",
  partly_taken_back: "A part of the payer's money was taken back: an operator decides.",
  unproven: 'What became of its transaction is unexpected, and nobody can prove it: an operator decides.',
  sending: 'A transaction is on its way to pay it; as long as no block has that, it may be cancelled.',
  cancelled: 'An operator has cancelled its transaction, and decides what follows.',
  reverted: "Transactions to the receiver's wallet revert: an operator decides.",
})

@Fields<WaitingPayout>('answer', {
  tenantId: { type: () => ID, description: 'Whose payment it is.' },
  paymentId: { type: () => ID, description: 'The payment.' },
  splitIndex: { type: () => Int, description: "The receiver's place in the payment's split, from 0." },
  chainName: { type: () => String, description: 'The chain.' },
  symbol: { type: () => String, description: 'The token.' },
  amount: { type: () => Decimal, description: 'How much of it.' },
  receiver: { type: () => String, description: 'Whose wallet gets it.' },
  createdAt: { type: () => DateTime, description: 'Since when it is owed.' },
  why: { type: () => PayoutWaitEnum, description: 'Why it waits.' },
  until: {
    type: () => DateTime,
    nullable: true,
    description: 'When it comes up again by itself; null where it does not.',
  },
  transactionId: {
    type: () => ID,
    nullable: true,
    description:
      'The last transaction that was to pay it; what `retryPayout`, `cancelPayout` and `resolvePayout` take.',
  },
})
@ObjectType('WaitingPayout', { description: 'A payout that is not paid yet.' })
class WaitingPayoutType {}

const WaitingPayoutConnection = connectionType('WaitingPayout', () => WaitingPayoutType, {
  noun: 'a payout that waits',
  order: 'the oldest first',
})

@Resolver()
export class WaitingPayoutsResolver {
  @Query(() => WaitingPayoutConnection, {
    nullable: true,
    description:
      'For operators: the payouts of all tenants that wait, and why, or those with a transaction on its way, oldest first.',
  })
  waitingPayouts(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Arg('sending', () => Boolean, {
      nullable: true,
      description: 'Those that a transaction on its way is to pay, in place of those that wait.',
    })
    sending: boolean | null,
    @Ctx() context: SubgraphContext<ListWaitingPayoutsDeps>,
  ): Promise<Connection<WaitingPayout>> {
    operatorOf(context)
    return listWaitingPayouts(context.deps, { first, after }, sending ?? false)
  }
}
