import { Ctx, Directive, Query, Resolver } from 'type-graphql'
import { tenantOf } from '../../../kernel/subgraph.js'
import type { AccountsContext } from '../deps.js'
import { findTenant } from '../domain/find-tenant.js'
import { productFlags, type ProductFlags } from '../domain/product-flags.js'
import { Products } from './account.type.js'

@Resolver()
export class ProductsResolver {
  @Query(() => Products, {
    nullable: true,
    description: "What the key can use; with a platform key, the deployment's products.",
  })
  products(@Ctx() context: AccountsContext): ProductFlags {
    return productFlags(context.deps, context.caller.products)
  }

  @Directive('@inaccessible')
  @Query(() => Products, { description: "The tenant's own products, for jobs, which have no key to tell them." })
  async tenantProductsStanding(@Ctx() context: AccountsContext): Promise<ProductFlags> {
    return productFlags(context.deps, (await findTenant(context.deps, tenantOf(context))).products)
  }

  @Directive('@inaccessible')
  @Query(() => Boolean, { description: 'Whether the tenant is enabled, for payment pages, which have no key to tell.' })
  async tenantTakesPayments(@Ctx() context: AccountsContext): Promise<boolean> {
    return (await findTenant(context.deps, tenantOf(context))).disabledAt === null
  }
}
