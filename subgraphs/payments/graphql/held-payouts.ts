import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { HoldReason } from '../model/hold-reason.js'
import type { Runtime } from '../model/runtime.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import { PaymentType } from './payment.type.js'

export const HoldReasonEnum = graphqlEnum('HoldReason', 'Why a receiver is not paid yet.', {
  delay: 'Receivers wait for a while after a payer has paid; it ends by itself.',
  treasury_cap: 'It is more than may leave the treasury; an operator decides.',
  wallet_refused: "The receiver's wallet is on a list of sanctions; an operator decides.",
  partly_taken_back: "A part of the payer's money was taken back; an operator decides.",
  unproven: 'Nobody can prove yet what became of its transaction; an operator decides.',
  cancelled: 'An operator has cancelled its transaction, and decides what follows.',
  reverted: "Transactions to the receiver's wallet revert; an operator decides.",
})

@ObjectType({ description: 'What a receiver is owed, and is not paid yet because something holds it.' })
export class HeldPayout {
  @Field(() => Int, { description: "The receiver's place in the payment's split, from 0." })
  splitIndex!: number

  @Field(() => Decimal, { description: 'How much of the token.' })
  amount!: string

  @Field(() => HoldReasonEnum, { nullable: true, description: 'Why; null where it was held before reasons were kept.' })
  reason!: HoldReason | null

  @Field(() => DateTime, { nullable: true, description: 'When it ends by itself; null where an operator decides.' })
  until!: Date | null
}

@Resolver(() => PaymentType)
export class HeldPayoutsField {
  @FieldResolver(() => [HeldPayout], { nullable: true, description: 'What of its payouts is held, and why.' })
  async heldPayouts(
    @Root() { tenantId, id }: Payment,
    @Ctx() { deps }: SubgraphContext<RequestLoaders & Pick<Runtime, 'clock'>>,
  ): Promise<HeldPayout[]> {
    const payouts = await deps.payoutsOf(tenantId, id)
    const now = deps.clock.now()
    const held = payouts.filter((payout) => isHeld(payout, now))
    return held.map(({ splitIndex, amount, state, holdReason: reason = null, notBefore }) => {
      return { splitIndex, amount, reason, until: state === 'waiting' ? notBefore : null }
    })
  }
}

/** Whether something holds a payout now: what an operator decides, or a delay that is not over. */
export function isHeld({ state, holdReason, notBefore }: Payout, now: Date): boolean {
  return state === 'held' || (state === 'waiting' && holdReason === 'delay' && notBefore > now)
}
