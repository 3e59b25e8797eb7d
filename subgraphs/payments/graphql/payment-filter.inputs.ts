import { Field, ID, InputType } from 'type-graphql'
import { DateTime, Decimal, EmailAddress } from '../../../kernel/scalars.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { PaymentSort } from '../model/payment-sort.js'
import type { PaymentStatus } from '../model/payment-status.js'
import type { TransactionType } from '../model/transaction-type.js'
import { PaymentStatusEnum, TransactionTypeEnum } from './payment.enums.js'

const PaymentSortKeyEnum = graphqlEnum<PaymentSort['by']>('PaymentSortKey', 'What payments are sorted by.', {
  created_at: 'When they were registered.',
  amount: 'How much is asked for. It needs the `amount` of the filter, which names the currency.',
})
const SortDirectionEnum = graphqlEnum<PaymentSort['direction']>('SortDirection', 'Which end of a list comes first.', {
  asc: 'The oldest, or the smallest.',
  desc: 'The newest, or the largest.',
})

/** What every list of payments can be narrowed by. */
@InputType({ description: 'Which payments to list.' })
export class PaymentFilterFields {
  @Field(() => PaymentStatusEnum, { nullable: true, description: 'Only payments in this status.' })
  status?: PaymentStatus

  @Field(() => TransactionTypeEnum, { nullable: true, description: 'Only payments that are paid this way.' })
  transactionType?: TransactionType

  @Field(() => [TransactionTypeEnum], {
    nullable: true,
    description: 'Only payments that are paid in one of these ways.',
  })
  transactionTypes?: TransactionType[]

  @Field(() => EmailAddress, {
    nullable: true,
    description: 'Only payments of this payer; small and capital letters are the same.',
  })
  payerEmail?: string

  @Field(() => String, {
    nullable: true,
    description:
      'Only payments with this id, or whose e-mail address, wallet, hash or a value of whose metadata begins with it, or, from 20 characters on, whose txid does: 3 to 200 characters; small and capital letters are the same.',
  })
  search?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered at this time or later.' })
  createdFrom?: string

  @Field(() => DateTime, { nullable: true, description: 'Only payments registered before this time.' })
  createdBefore?: string
}

@InputType({ description: 'Amounts in one fiat currency, both ends included.' })
export class PaymentAmountFilterInput {
  @Field(() => String, { description: 'The fiat currency, e.g. `BRL`.' })
  currency!: string

  @Field(() => Decimal, { nullable: true, description: 'Only payments of so much or more.' })
  atLeast?: string

  @Field(() => Decimal, { nullable: true, description: 'Only payments of so much or less.' })
  atMost?: string
}

@InputType({ description: 'A text or a number of the metadata.' })
export class PaymentMetadataFilterInput {
  @Field(() => String, { description: 'The name of the field, which is not one of an object within the metadata.' })
  key!: string

  @Field(() => String, {
    description: 'Exactly what it holds; of metadata with more than 100 different values, 100 are kept to be found.',
  })
  value!: string
}

@InputType({ description: 'Which payments of an order to list; what is left out is any.' })
export class OrderPaymentFilterInput extends PaymentFilterFields {
  @Field(() => [PaymentStatusEnum], { nullable: true, description: 'Only payments in one of these statuses.' })
  statuses?: PaymentStatus[]

  @Field(() => PaymentAmountFilterInput, { nullable: true, description: 'Only payments of such amounts.' })
  amount?: PaymentAmountFilterInput

  @Field(() => PaymentMetadataFilterInput, {
    nullable: true,
    description: 'Only payments with this in their metadata.',
  })
  metadata?: PaymentMetadataFilterInput
}

@InputType({ description: 'Which payments to list; what is left out is any.' })
export class PaymentFilterInput extends OrderPaymentFilterInput {
  @Field(() => ID, { nullable: true, description: 'Only payments from this order.' })
  orderCode?: string
}

@InputType({ description: 'The order of a list of payments.' })
export class PaymentSortInput {
  @Field(() => PaymentSortKeyEnum, { description: 'What they are sorted by.' })
  by!: PaymentSort['by']

  @Field(() => SortDirectionEnum, { description: 'Which end comes first.' })
  direction!: PaymentSort['direction']
}
