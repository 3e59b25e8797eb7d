import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { summarizePayments, type SummarizePaymentsDeps } from '../domain/summarize-payments.js'
import type { FailureReason } from '../model/payment-failure.js'
import type { TransactionType } from '../model/transaction-type.js'
import { PaymentFailureReasonEnum, reasonOf } from './failure-reason.js'
import { TransactionTypeEnum } from './payment.enums.js'

@ObjectType({ description: 'The payments registered on a day, in one currency.' })
export class PaymentDay {
  @Field(() => String, { description: 'The day in UTC, e.g. `2026-01-31`.' })
  day!: string

  @Field(() => String, { description: 'The currency that they are priced in.' })
  currency!: string

  @Field(() => Int, { description: 'How many were registered.' })
  registered!: number

  @Field(() => Int, { description: 'How many of them are paid.' })
  paid!: number

  @Field(() => Decimal, { description: 'What the paid ones come to.' })
  sum!: string
}

@ObjectType({ description: 'The payments that were begun by one way to pay.' })
export class PaymentMethodSummary {
  @Field(() => TransactionTypeEnum, { description: 'The way to pay.' })
  transactionType!: TransactionType

  @Field(() => Int, { description: 'How many payers began.' })
  begun!: number

  @Field(() => Int, { description: 'How many of them have paid.' })
  paid!: number
}

@ObjectType({ description: 'A reason why payments failed.' })
export class PaymentFailureSummary {
  @Field(() => PaymentFailureReasonEnum, { description: 'The reason, as in `dataError`.' })
  reason!: FailureReason | 'other'

  @Field(() => Int, { description: 'How many payments have it.' })
  count!: number
}

@ObjectType('PaymentSummary', { description: 'What the payments registered in a time come to.' })
export class PaymentSummaryType {
  @Field(() => Int, { description: 'How many payments were counted: the newest 50,000 at most.' })
  counted!: number

  @Field(() => [PaymentDay], { description: 'By day and currency, oldest first; a day without a payment is left out.' })
  days!: PaymentDay[]

  @Field(() => [PaymentMethodSummary], { description: 'By way to pay, the most used first.' })
  methods!: PaymentMethodSummary[]

  @Field(() => [PaymentFailureSummary], { description: 'Why payments failed: the 20 most frequent reasons.' })
  failures!: PaymentFailureSummary[]

  @Field(() => Float, {
    nullable: true,
    description: 'Half of the paid ones took at most so many seconds from registration until the receivers had theirs.',
  })
  medianSettleSeconds!: number | null

  @Field(() => Float, { nullable: true, description: 'Nine of ten took at most so many seconds.' })
  slowSettleSeconds!: number | null
}

@Resolver()
export class PaymentSummaryResolver {
  @Query(() => PaymentSummaryType, { nullable: true, description: 'What the payments registered in a time come to.' })
  async paymentSummary(
    @Arg('from', () => DateTime, { description: 'Where the time begins.' }) from: string,
    @Arg('to', () => DateTime, {
      nullable: true,
      description: 'Where it ends, by default now; at most 92 days later. The moment itself is not part of it.',
    })
    to: string | null,
    @Ctx() context: SubgraphContext<SummarizePaymentsDeps>,
  ): Promise<PaymentSummaryType> {
    const summary = await summarizePayments(context.deps, tenantOf(context), { from, to })
    return { ...summary, failures: summary.failures.map(({ code, count }) => ({ reason: reasonOf(code), count })) }
  }
}
