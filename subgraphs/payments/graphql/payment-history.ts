import { Arg, Ctx, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { DateTime, Decimal } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { graphqlEnum, tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { isAboutReturns } from '../model/moved-amount.js'
import { PAYMENT_CAUSES, paymentCause, type PaymentCause } from '../model/payment-cause.js'
import { PAYMENT_STATUSES, type PaymentStatus } from '../model/payment-status.js'
import type { RequestLoaders } from '../request-loaders.js'
import type { ListedPayment } from '../store/payment.entity.js'
import type { EntryPlace, Moved } from '../store/moved-money.js'
import type { HistoryEntry } from '../store/payments.js'
import { HISTORY_PAGE_SIZE, historyConnection, historyPage, WITHOUT_CURSORS } from './history-page.js'
import { PaymentStatusEnum } from './payment.enums.js'
import { PaymentType } from './payment.type.js'

const PaymentEventKindEnum = graphqlEnum<PaymentCause | 'other'>('PaymentEventKind', 'What changes a payment.', {
  ...PAYMENT_CAUSES,
  other: 'Something that only an older release knew.',
})

/** An entry as clients see it. */
interface ShownEntry extends Omit<HistoryEntry, 'tenantId' | 'paymentId' | 'type'> {
  status: PaymentStatus | undefined
  kind: PaymentCause | 'other'
}

@Fields<ShownEntry>('answer', {
  sequence: { type: () => Int, description: 'Counts the entries of the payment from 1.' },
  status: { type: () => PaymentStatusEnum, description: 'The status after it.' },
  cause: {
    type: () => String,
    description: 'What caused it, e.g. `transaction_created`.',
    deprecationReason: 'A closed set is an enum: use `kind`.',
  },
  kind: { type: () => PaymentEventKindEnum, description: 'What happened.' },
  createdAt: { type: () => DateTime, description: 'When.' },
  notify: { type: () => Boolean, description: 'Whether its tenant is told of it.', hidden: true },
})
@ObjectType('PaymentEvent', { description: "One entry of a payment's history." })
export class PaymentEventType {}

const PaymentEventConnection = connectionType('PaymentEvent', () => PaymentEventType, {
  noun: 'an entry',
  order: 'the oldest first',
})

@Resolver(() => PaymentType)
export class PaymentHistoryFields {
  @FieldResolver(() => [PaymentEventType], {
    nullable: true,
    description: 'What happened to it, oldest first.',
    deprecationReason: WITHOUT_CURSORS,
  })
  async history(
    @Root() { tenantId, id }: ListedPayment,
    @Arg('first', () => Int, { defaultValue: HISTORY_PAGE_SIZE, description: '1 to 100, by default 20.' })
    first: number,
    @Arg('after', () => Int, { nullable: true, description: 'The sequence to go on behind.' }) after: number | null,
    @Ctx() { deps }: SubgraphContext<RequestLoaders>,
  ): Promise<ShownEntry[]> {
    return (await deps.historyById(tenantId, id, historyPage(first, after))).map(shown)
  }

  @FieldResolver(() => PaymentEventConnection, { nullable: true, description: 'What happened to it, oldest first.' })
  events(
    @Root() { tenantId, id }: ListedPayment,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() { deps }: SubgraphContext<RequestLoaders>,
  ): Promise<Connection<ShownEntry>> {
    return historyConnection({ first, after }, async (page) => (await deps.historyById(tenantId, id, page)).map(shown))
  }
}

type MovedDeps = Pick<RequestLoaders, 'movedBy'>

@Resolver(() => PaymentEventType)
export class PaymentEventFields {
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      'How much it is about, where it tells of a refund, a dispute or other money that goes back; null for what else happens.',
  })
  async amount(
    @Root() entry: ShownEntry & EntryPlace,
    @Ctx() context: SubgraphContext<MovedDeps>,
  ): Promise<string | null> {
    return (await movedBy(entry, context))?.amount ?? null
  }

  @FieldResolver(() => String, { nullable: true, description: 'What `amount` is in; null where that is.' })
  async currency(
    @Root() entry: ShownEntry & EntryPlace,
    @Ctx() context: SubgraphContext<MovedDeps>,
  ): Promise<string | null> {
    return (await movedBy(entry, context))?.currency ?? null
  }
}

/** Only what goes back is looked for among the changes: most entries tell of other things. */
async function movedBy(
  { cause, paymentId, sequence }: ShownEntry & EntryPlace,
  context: SubgraphContext<MovedDeps>,
): Promise<Moved | undefined> {
  if (!isAboutReturns(cause)) return undefined
  return context.deps.movedBy(tenantOf(context).id, { paymentId, sequence })
}

/** The type of an entry is `payment.` and the status after it. */
function shown(entry: HistoryEntry): ShownEntry {
  const status = PAYMENT_STATUSES.find((one) => entry.type === `payment.${one}`)
  return { ...entry, status, kind: paymentCause(entry.cause) ?? 'other' }
}
