import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import { listOfAtMost } from '../../../../kernel/cost-directives.js'
import { tenantOf } from '../../../../kernel/subgraph.js'
import type { AccountsContext } from '../../deps.js'
import type { RotatedSecret } from '../../domain/rotate-webhook-secret.js'
import { actingTenantOf } from '../../graphql/acting-tenant.js'
import { RotatedWebhookSecret } from '../../graphql/webhook-address.js'
import {
  createEndpoint,
  deleteEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
  type EndpointPatch,
  type NewEndpoint,
} from '../endpoints.js'
import { ENDPOINTS_MAX, type RegisteredEndpoint } from '../store/registered-endpoint.entity.js'
import {
  CreatedWebhookEndpoint,
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
  WebhookEndpointType,
} from './webhook-endpoint.type.js'

@Resolver()
export class WebhookEndpointsResolver {
  @Directive(listOfAtMost(ENDPOINTS_MAX))
  @Query(() => [WebhookEndpointType], {
    nullable: true,
    description: "The tenant's webhook endpoints, oldest first; ten at most.",
  })
  webhookEndpoints(@Ctx() context: AccountsContext): Promise<RegisteredEndpoint[]> {
    return context.deps.registeredEndpoints.list(tenantOf(context).id)
  }

  @Mutation(() => CreatedWebhookEndpoint, {
    description:
      'Registers an address that gets events from now on, beside the one that payments, orders and integrations name. For people only.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'The endpoint.' }) input: NewEndpoint,
    @Ctx() context: AccountsContext,
  ): Promise<object> {
    const { endpoint, secret } = await createEndpoint(
      context.deps,
      actingTenantOf(context, 'createWebhookEndpoint'),
      input,
    )
    return { webhookEndpoint: endpoint, secret }
  }

  @Mutation(() => WebhookEndpointType, {
    description: 'Changes a webhook endpoint, or switches it off and on. For people only.',
  })
  updateWebhookEndpoint(
    @Arg('id', () => ID, { description: 'The endpoint.' }) id: string,
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'What is to change.' }) input: EndpointPatch,
    @Ctx() context: AccountsContext,
  ): Promise<RegisteredEndpoint> {
    return updateEndpoint(context.deps, actingTenantOf(context, 'updateWebhookEndpoint'), id, input)
  }

  @Mutation(() => WebhookEndpointType, {
    description: 'Removes a webhook endpoint for good; its open deliveries end. For people only.',
  })
  deleteWebhookEndpoint(
    @Arg('id', () => ID, { description: 'The endpoint.' }) id: string,
    @Ctx() context: AccountsContext,
  ): Promise<RegisteredEndpoint> {
    return deleteEndpoint(context.deps, actingTenantOf(context, 'deleteWebhookEndpoint'), id)
  }

  @Mutation(() => RotatedWebhookSecret, {
    description: 'Gives a webhook endpoint another secret; until the overlap ends both sign. For people only.',
  })
  rotateWebhookEndpointSecret(
    @Arg('id', () => ID, { description: 'The endpoint.' }) id: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description: 'How long the present secret signs too, 0 to 168 hours; 24 where left out, 0 where it has leaked.',
    })
    overlapHours: number | null,
    @Ctx() context: AccountsContext,
  ): Promise<RotatedSecret> {
    return rotateEndpointSecret(context.deps, actingTenantOf(context, 'rotateWebhookEndpointSecret'), {
      id,
      overlapHours,
    })
  }
}
