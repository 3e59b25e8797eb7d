import { Arg, Ctx, Directive, ID, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import { IntegrationType } from './account.type.js'

@Resolver()
export class IntegrationResolver {
  @Directive('@inaccessible')
  @Query(() => IntegrationType, { nullable: true, description: "One of the tenant's integrations." })
  async integration(
    @Arg('publicClientId', () => ID, { nullable: true, description: 'Left out for the default integration.' })
    publicClientId: string | null | undefined,
    @Ctx() context: AccountsContext,
  ): Promise<Integration | null> {
    const { accounts } = context.deps
    return (await accounts.findIntegration(tenantOf(context).id, publicClientId ?? null)) ?? null
  }
}
