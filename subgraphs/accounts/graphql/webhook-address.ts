import { Arg, Ctx, ID, Int, Mutation, ObjectType, Resolver } from 'type-graphql'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import type { AccountsContext } from '../deps.js'
import { rotateWebhookSecret, type RotatedSecret } from '../domain/rotate-webhook-secret.js'
import { setWebhookAddress } from '../domain/set-webhook-address.js'
import type { Integration } from '../store/integration.entity.js'
import { actingTenantOf } from './acting-tenant.js'
import { IntegrationType } from './account.type.js'

@Fields<RotatedSecret>('answer', {
  secret: { type: () => String, description: 'The new secret, which is shown now and never again.' },
  previousUntil: { type: () => DateTime, description: 'Until when the secret before it signs too.' },
})
@ObjectType({ description: 'A webhook secret at its rotation.' })
export class RotatedWebhookSecret {}

@Resolver()
export class WebhookAddressResolver {
  @Mutation(() => IntegrationType, {
    description:
      'Says where events of an integration go from now on; payments and orders that exist keep their address. For people only.',
  })
  setWebhookAddress(
    @Arg('publicClientId', () => ID, { description: 'The integration.' }) publicClientId: string,
    @Arg('url', () => String, { nullable: true, description: 'https, and public; null for no address.' })
    url: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<Integration> {
    return setWebhookAddress(context.deps, actingTenantOf(context, 'setWebhookAddress'), { publicClientId, url })
  }

  @Mutation(() => RotatedWebhookSecret, {
    description: 'Gives an integration another webhook secret; until the overlap ends both sign. For people only.',
  })
  rotateWebhookSecret(
    @Arg('publicClientId', () => ID, { description: 'The integration.' }) publicClientId: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description: 'How long the present secret signs too, 0 to 168 hours; 24 where left out, 0 where it has leaked.',
    })
    overlapHours: number | null,
    @Ctx() context: AccountsContext,
  ): Promise<RotatedSecret> {
    return rotateWebhookSecret(context.deps, actingTenantOf(context, 'rotateWebhookSecret'), {
      publicClientId,
      overlapHours,
    })
  }
}
