import { Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import { PageInfoType } from '../../../kernel/page-info.type.js'
import type { PaymentConnection as Connection } from '../domain/list-payments.js'
import { PaymentType } from './payment.type.js'

@ObjectType({ description: 'A payment in a connection.' })
export class PaymentEdge {
  @Field(() => String, { description: 'Names its place in the list.' })
  cursor!: string

  @Field(() => PaymentType, { description: 'The payment.' })
  node!: PaymentType
}

@ObjectType({ description: 'A page of payments with cursors.' })
export class PaymentConnection {
  @Field(() => [PaymentEdge], { description: 'The payments, in the order of the list.' })
  edges!: PaymentEdge[]

  @Field(() => PageInfoType, { description: 'Where the page stands.' })
  pageInfo!: PageInfoType
}

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
