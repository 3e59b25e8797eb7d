import { ID, InputType } from 'type-graphql'
import { DateTime, Decimal, EmailAddress } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { graphqlEnum } from '../../../kernel/subgraph.js'
import type { PaymentSort } from '../model/payment-sort.js'
import type { AmountRange, PaymentFilter } from '../store/payment-filter.js'
import { PaymentStatusEnum, TransactionTypeEnum } from './payment.enums.js'

const PaymentSortKeyEnum = graphqlEnum<PaymentSort['by']>('PaymentSortKey', 'What payments are sorted by.', {
  created_at: 'When they were registered.',
  amount:
    'How much is asked for. It needs the `amount` of the filter, which names the currency, and goes with neither `search` nor `metadata`.',
})
const SortDirectionEnum = graphqlEnum<PaymentSort['direction']>('SortDirection', 'Which end of a list comes first.', {
  asc: 'The oldest, or the smallest.',
  desc: 'The newest, or the largest.',
})

/** What only lists with cursors can be narrowed by. */
type OrderFilter = Pick<PaymentFilter, 'statuses' | 'amount' | 'metadata'>

/** What every list of payments can be narrowed by. */
@Fields<Omit<PaymentFilter, 'orderCode' | keyof OrderFilter>>('input', {
  status: { type: () => PaymentStatusEnum, nullable: true, description: 'Only payments in this status.' },
  transactionType: {
    type: () => TransactionTypeEnum,
    nullable: true,
    description: 'Only payments that are paid this way.',
  },
  transactionTypes: {
    type: () => [TransactionTypeEnum],
    nullable: true,
    description: 'Only payments that are paid in one of these ways.',
  },
  payerEmail: {
    type: () => EmailAddress,
    nullable: true,
    description: 'Only payments of this payer; small and capital letters are the same.',
  },
  search: {
    type: () => String,
    nullable: true,
    description:
      'Only payments with this id, or whose e-mail address, wallet, hash or a value of whose metadata begins with it, or, from 20 characters on, whose txid does: 3 to 200 characters; small and capital letters are the same.',
  },
  createdFrom: { type: () => DateTime, nullable: true, description: 'Only payments registered at this time or later.' },
  createdBefore: { type: () => DateTime, nullable: true, description: 'Only payments registered before this time.' },
})
@InputType({ description: 'Which payments to list.' })
export class PaymentFilterFields {}

@Fields<AmountRange>('input', {
  currency: { type: () => String, description: 'The fiat currency, e.g. `BRL`.' },
  atLeast: { type: () => Decimal, nullable: true, description: 'Only payments of so much or more.' },
  atMost: { type: () => Decimal, nullable: true, description: 'Only payments of so much or less.' },
})
@InputType({ description: 'Amounts in one fiat currency, both ends included.' })
export class PaymentAmountFilterInput {}

@Fields<NonNullable<PaymentFilter['metadata']>>('input', {
  key: { type: () => String, description: 'The name of the field, which is not one of an object within the metadata.' },
  value: {
    type: () => String,
    description: 'Exactly what it holds; of metadata with more than 100 different values, 100 are kept to be found.',
  },
})
@InputType({ description: 'A text or a number of the metadata.' })
export class PaymentMetadataFilterInput {}

@Fields<OrderFilter>('input', {
  statuses: { type: () => [PaymentStatusEnum], nullable: true, description: 'Only payments in one of these statuses.' },
  amount: { type: () => PaymentAmountFilterInput, nullable: true, description: 'Only payments of such amounts.' },
  metadata: {
    type: () => PaymentMetadataFilterInput,
    nullable: true,
    description: 'Only payments with this in their metadata.',
  },
})
@InputType({ description: 'Which payments of an order to list; what is left out is any.' })
export class OrderPaymentFilterInput extends PaymentFilterFields {}

@Fields<Pick<PaymentFilter, 'orderCode'>>('input', {
  orderCode: { type: () => ID, nullable: true, description: 'Only payments from this order.' },
})
@InputType({ description: 'Which payments to list; what is left out is any.' })
export class PaymentFilterInput extends OrderPaymentFilterInput {}

@Fields<PaymentSort>('input', {
  by: { type: () => PaymentSortKeyEnum, description: 'What they are sorted by.' },
  direction: { type: () => SortDirectionEnum, description: 'Which end comes first.' },
})
@InputType({ description: 'The order of a list of payments.' })
export class PaymentSortInput {}
