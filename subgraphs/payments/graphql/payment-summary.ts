import { Arg, Ctx, Float, Int, ObjectType, Query, Resolver } from 'type-graphql'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { DAYS_MAX, summarizePayments, type SummarizePaymentsDeps } from '../domain/summarize-payments.js'
import type { FailureReason } from '../model/payment-failure.js'
import { REASONS_MAX, type PaymentSummary } from '../store/payment-summaries.js'
import { PaymentFailureReasonEnum, reasonOf } from './failure-reason.js'
import { TransactionTypeEnum } from './payment.enums.js'

/** What a deployment prices in unless it says more, on each day that the longest time touches. */
const DAYS_SHOWN_MAX = 2 * (DAYS_MAX + 1)

/** A summary with reasons as the graph has them. */
type ShownSummary = Omit<PaymentSummary, 'failures'> & {
  failures: { reason: FailureReason | 'other'; count: number }[]
}

@Fields<PaymentSummary['days'][number]>('answer', {
  day: { type: () => String, description: 'The day in UTC, e.g. `2026-01-31`.' },
  currency: { type: () => String, description: 'The currency that they are priced in.' },
  registered: { type: () => Int, description: 'How many were registered.' },
  paid: { type: () => Int, description: 'How many of them are paid.' },
  sum: {
    type: () => Decimal,
    description: 'What the paid ones come to at their prices, whatever of it went back since.',
  },
})
@ObjectType({ description: 'The payments registered on a day, in one currency.' })
export class PaymentDay {}

@Fields<PaymentSummary['methods'][number]>('answer', {
  transactionType: { type: () => TransactionTypeEnum, description: 'The way to pay.' },
  begun: { type: () => Int, description: 'How many payers began.' },
  paid: { type: () => Int, description: 'How many of them have paid.' },
})
@ObjectType({ description: 'The payments that were begun by one way to pay.' })
export class PaymentMethodSummary {}

@Fields<PaymentSummary['returned'][number]>('answer', {
  currency: { type: () => String, description: 'The currency that was charged, e.g. `BRL`.' },
  refunded: { type: () => Decimal, description: 'What refunds of the time have brought back to payers.' },
  disputed: { type: () => Decimal, description: "What payers' banks have taken back by disputes of the time." },
})
@ObjectType({ description: 'What went back to payers in a time, in one currency.' })
export class PaymentReturnedSummary {}

@Fields<ShownSummary['failures'][number]>('answer', {
  reason: { type: () => PaymentFailureReasonEnum, description: 'The reason, as in `dataError`.' },
  count: { type: () => Int, description: 'How many payments have it.' },
})
@ObjectType({ description: 'A reason why payments failed.' })
export class PaymentFailureSummary {}

@Fields<ShownSummary>('answer', {
  counted: { type: () => Int, description: 'How many payments were counted: the newest 50,000 at most.' },
  days: {
    type: () => [PaymentDay],
    atMost: DAYS_SHOWN_MAX,
    description: 'By day and currency, oldest first; a day without a payment is left out.',
  },
  methods: { type: () => [PaymentMethodSummary], description: 'By way to pay, the most used first.' },
  returned: {
    type: () => [PaymentReturnedSummary],
    description:
      'What went back in the time, by currency, whenever its payments were registered: of the newest 50,000 refunds and as many disputes.',
  },
  failures: {
    type: () => [PaymentFailureSummary],
    atMost: REASONS_MAX,
    description: 'Why payments failed: the 20 most frequent reasons.',
  },
  medianSettleSeconds: {
    type: () => Float,
    nullable: true,
    description: 'Half of the paid ones took at most so many seconds from registration until the receivers had theirs.',
  },
  slowSettleSeconds: { type: () => Float, nullable: true, description: 'Nine of ten took at most so many seconds.' },
})
@ObjectType('PaymentSummary', { description: 'What the payments registered in a time come to.' })
export class PaymentSummaryType {}

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
  ): Promise<ShownSummary> {
    const summary = await summarizePayments(context.deps, tenantOf(context), { from, to })
    return { ...summary, failures: summary.failures.map(({ code, count }) => ({ reason: reasonOf(code), count })) }
  }
}
