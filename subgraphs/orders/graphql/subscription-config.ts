import { FieldResolver, Resolver, Root } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { isoOf } from '../../../kernel/unix-seconds.js'
import type { SubscriptionConfig as Config } from '../store/order.entity.js'
import { SubscriptionConfig } from './order.type.js'

@Resolver(() => SubscriptionConfig)
export class SubscriptionConfigFields {
  /** Stored in Unix seconds, as REST has it. */
  @FieldResolver(() => DateTime, { nullable: true })
  nextPaymentAt(@Root() { nextPaymentAt }: Config): string | null {
    return nextPaymentAt == null ? null : isoOf(nextPaymentAt)
  }
}
