import { Arg, Ctx, Directive, ID, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import { findIntegration } from '../domain/find-integration.js'
import type { Integration } from '../store/integration.entity.js'
import { IntegrationType } from './account.type.js'

@Resolver()
export class IntegrationResolver {
  @Directive('@inaccessible')
  @Query(() => IntegrationType, { nullable: true, description: "One of the tenant's integrations." })
  integration(
    @Arg('publicClientId', () => ID, { nullable: true, description: 'Left out for the default integration.' })
    publicClientId: string | null | undefined,
    @Ctx() context: AccountsContext,
  ): Promise<Integration | null> {
    return findIntegration(context.deps, tenantOf(context), { publicClientId: publicClientId ?? null })
  }
}
