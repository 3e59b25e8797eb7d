import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import { findTenant } from '../domain/find-tenant.js'
import { productFlags, type ProductFlags } from '../domain/product-flags.js'
import type { Integration } from '../store/integration.entity.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import { AccountType, IntegrationType, Products } from './account.type.js'

@Resolver(() => AccountType)
export class AccountResolver {
  @Query(() => AccountType, { nullable: true, description: 'The tenant whose key is used.' })
  account(@Ctx() context: AccountsContext): Promise<TenantAccount> {
    return findTenant(context.deps, tenantOf(context))
  }

  @FieldResolver(() => Products, { description: 'What it can use.' })
  products(@Ctx() context: AccountsContext): ProductFlags {
    return productFlags(context.deps, context.caller.products)
  }

  @FieldResolver(() => [IntegrationType], { description: 'Its integrations, oldest first.' })
  integrations(@Root() account: TenantAccount, @Ctx() context: AccountsContext): Promise<Integration[]> {
    return context.deps.accounts.listIntegrations(account.id)
  }
}
