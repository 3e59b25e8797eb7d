import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { sum } from '../../../kernel/money.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { graphqlEnum, type SubgraphContext } from '../../../kernel/subgraph.js'
import type { ReadConfigurationDeps } from '../domain/read-configuration.js'
import type { HoldReason } from '../model/hold-reason.js'
import type { Runtime } from '../model/runtime.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { Payment } from '../store/payment.entity.js'
import type { Payout } from '../store/payout.entity.js'
import { HoldReasonEnum, isHeld } from './held-payouts.js'
import { PaymentType } from './payment.type.js'

type PayoutState = 'waiting' | 'sending' | 'paid' | 'held' | 'canceled'

const PayoutStateEnum = graphqlEnum<PayoutState>('PayoutState', 'Where a payout stands.', {
  waiting: 'No transaction is on its way yet.',
  sending: 'A transaction is on its way, or may be.',
  paid: 'A chain shows that the receiver has it.',
  held: 'Something holds it: a delay that ends by itself, or what an operator decides.',
  canceled: "All of it was taken back for the payer's sake before it left.",
})

@ObjectType({ description: 'What the treasury pays one receiver of a payment, and where that stands.' })
export class ReceiverPayout {
  @Field(() => Int, { description: "The receiver's place in the payment's split, from 0." })
  splitIndex!: number
  @Field(() => String, { description: "The receiver's wallet." })
  receiver!: string
  @Field(() => Decimal, { description: 'How much of the token; what refunds took off is not in it.' })
  amount!: string
  @Field(() => Decimal, {
    description: 'How much of the token refunds and disputes took off it before it left.',
  })
  takenBackAmount!: string

  @Field(() => String, { description: 'The token.' })
  symbol!: string
  @Field(() => PayoutStateEnum, { description: 'Where it stands.' })
  state!: PayoutState
  @Field(() => HoldReasonEnum, { nullable: true, description: 'Why it is held; null where it is not.' })
  reason!: HoldReason | null
  @Field(() => DateTime, { nullable: true, description: 'When a hold ends by itself; null where none does.' })
  until!: Date | null
  @Field(() => String, { nullable: true, description: 'The transaction that paid it.' })
  transactionHash!: string | null
  @Field(() => String, { nullable: true, description: "That transaction at the chain's explorer, where it has one." })
  transactionUrl!: string | null
  @Field(() => DateTime, { nullable: true, description: 'When it was paid.' })
  paidAt!: Date | null
}

const SHOWN: Readonly<Record<Payout['state'], PayoutState>> = {
  waiting: 'waiting',
  sending: 'sending',
  confirmed: 'paid',
  held: 'held',
  cancelled: 'canceled',
}

@Resolver(() => PaymentType)
export class PayoutsField {
  @FieldResolver(() => [ReceiverPayout], {
    nullable: true,
    description:
      'What its receivers are paid by the treasury; empty before its money is in, and where a wallet pays them.',
  })
  async payouts(
    @Root() { tenantId, id }: Payment,
    @Ctx() { deps }: SubgraphContext<RequestLoaders & Pick<Runtime, 'clock'> & Pick<ReadConfigurationDeps, 'settings'>>,
  ): Promise<ReceiverPayout[]> {
    const now = deps.clock.now()
    const explorers = new Map(deps.settings.chains.map(({ name, explorerUrl }) => [name, explorerUrl]))
    return (await deps.payoutsOf(tenantId, id)).map((payout) => show(payout, explorers.get(payout.chainName), now))
  }
}

function show(payout: Payout, explorerUrl: string | undefined, now: Date): ReceiverPayout {
  const { splitIndex, receiver, amount, withheld, symbol, state, holdReason, notBefore, confirmedAt } = payout
  const isOnHold = isHeld(payout, now)
  const transactionHash = payout.hash ?? null
  return {
    ...{ splitIndex, receiver, amount, symbol, transactionHash },
    takenBackAmount: state === 'cancelled' ? sum([withheld, amount]) : withheld,
    state: isOnHold ? 'held' : SHOWN[state],
    reason: isOnHold ? (holdReason ?? null) : null,
    until: isOnHold && state === 'waiting' ? notBefore : null,
    transactionUrl: transactionHash === null || explorerUrl === undefined ? null : pageOf(explorerUrl, transactionHash),
    paidAt: confirmedAt ?? null,
  }
}

/** Where a chain's explorer shows a transaction. */
function pageOf(explorerUrl: string, hash: string): string {
  return `${explorerUrl.replace(/\/$/, '')}/tx/${hash}`
}
