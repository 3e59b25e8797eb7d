import { Arg, Ctx, Directive, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql'
import type { Connection } from '../../../../kernel/connection.js'
import { JsonValue } from '../../../../kernel/scalars.js'
import { tenantOf } from '../../../../kernel/subgraph.js'
import type { WebhookContext } from '../deps.js'
import { findDelivery, listDeliveries, listDeliveryPage, type DeliveryPageInput } from '../find-deliveries.js'
import { noteAccess } from '../note-access.js'
import { mayReadBody } from '../read-body.js'
import { openAnswer } from '../sealed-answer.js'
import { openBody } from '../sealed-body.js'
import type { DeliveryRecord } from '../store/webhook-deliveries.js'
import type { DeliveryState, WebhookAttempt as WebhookAttemptRow } from '../store/webhook.entity.js'
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookDeliveryPage,
  WebhookDeliveryPageInput,
  WebhookDeliveryStateEnum,
} from './webhook-delivery.type.js'
import { resourceOf, WebhookResource } from './webhook-resource.type.js'

@Resolver(() => WebhookDelivery)
export class WebhookDeliveriesResolver {
  @Query(() => WebhookDelivery, { nullable: true, description: 'A webhook delivery by its id.' })
  webhookDelivery(
    @Arg('id', () => ID, { description: 'Of the delivery.' }) id: string,
    @Ctx() context: WebhookContext,
  ): Promise<object> {
    return findDelivery(context.deps, tenantOf(context), { deliveryId: id })
  }

  @Query(() => WebhookDeliveryConnection, { nullable: true, description: 'The webhook deliveries, newest first.' })
  webhookDeliveries(
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to continue after.' }) after: string | null,
    @Arg('resourceId', () => ID, {
      nullable: true,
      description: 'Only those of this payment, order, subscription or verification.',
    })
    resourceId: string | null,
    @Arg('state', () => WebhookDeliveryStateEnum, { nullable: true, description: 'Only those that stand there.' })
    state: DeliveryState | null,
    @Arg('endpointId', () => ID, {
      nullable: true,
      description: 'Only those to this webhook endpoint, also to one that was deleted.',
    })
    endpointId: string | null,
    @Ctx() context: WebhookContext,
  ): Promise<Connection<DeliveryRecord>> {
    return listDeliveries(context.deps, tenantOf(context), { first, after, resourceId, state, endpointId })
  }

  @Directive('@inaccessible')
  @Query(() => WebhookDeliveryPage, {
    nullable: true,
    description: 'A page of the webhook deliveries, newest first, without edges: what REST lists by.',
  })
  webhookDeliveryPage(
    @Arg('input', () => WebhookDeliveryPageInput, { description: 'Which page, of which deliveries.' })
    input: DeliveryPageInput,
    @Ctx() context: WebhookContext,
  ): Promise<object> {
    return listDeliveryPage(context.deps, tenantOf(context), input)
  }

  @FieldResolver(() => WebhookResource, {
    nullable: true,
    description: 'What the event is about, as it is now; null for a test, and for what is gone.',
  })
  resource(@Root() delivery: DeliveryRecord): object | null {
    return resourceOf(delivery)
  }

  @FieldResolver(() => JsonValue, { nullable: true })
  async body(@Root() delivery: DeliveryRecord, @Ctx() context: WebhookContext): Promise<unknown> {
    if (!mayReadBody(context.caller, delivery.source)) return null
    await noteAccess(context, delivery)
    return JSON.parse(openBody(context.deps.keyRing, delivery))
  }

  @FieldResolver(() => Int, { description: 'How many attempts there were.' })
  attemptCount(@Root() { attempts }: DeliveryRecord): number {
    return attempts.at(-1)?.number ?? 0
  }

  @FieldResolver(() => [WebhookAttempt])
  attempts(@Root() delivery: DeliveryRecord): AttemptOf[] {
    return delivery.attempts.map((attempt) => ({ ...attempt, attempt, delivery }))
  }
}

/** An attempt, and the delivery that it is of. */
type AttemptOf = WebhookAttemptRow & { attempt: WebhookAttemptRow; delivery: DeliveryRecord }

@Resolver(() => WebhookAttempt)
export class WebhookAttemptResolver {
  @FieldResolver(() => String, { nullable: true })
  async responseBody(@Root() { attempt, delivery }: AttemptOf, @Ctx() context: WebhookContext): Promise<string | null> {
    // What a receiver answers may repeat what it was sent.
    if (!mayReadBody(context.caller, delivery.source)) return null
    const text = openAnswer(context.deps.keyRing, attempt)
    if (text !== null) await noteAccess(context, delivery)
    return text
  }
}
