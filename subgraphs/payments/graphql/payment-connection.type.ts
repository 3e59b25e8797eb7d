import { FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { PaymentConnection as Connection } from '../domain/list-payments.js'
import { PaymentType } from './payment.type.js'

@Fields<Connection['edges'][number]>('answer', {
  cursor: { type: () => String, description: 'Names its place in the list.' },
  node: { type: () => PaymentType, description: 'The payment.' },
})
@ObjectType({ description: 'A payment in a connection.' })
export class PaymentEdge {}

@Fields<Omit<Connection, 'count'>>('answer', {
  edges: { type: () => [PaymentEdge], description: 'The payments, in the order of the list.' },
  pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
})
@ObjectType({ description: 'A page of payments with cursors.' })
export class PaymentConnection {}

@Resolver(() => PaymentConnection)
export class PaymentConnectionFields {
  @FieldResolver(() => Int, {
    nullable: true,
    description: 'How many pass the filter in all; 10000 are counted at most.',
  })
  async totalCount(@Root() { count }: Connection): Promise<number> {
    return (await count()).value
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description: 'Whether `totalCount` is all of them; otherwise there are more.',
  })
  async isTotalCountExact(@Root() { count }: Connection): Promise<boolean> {
    return (await count()).isExact
  }
}
