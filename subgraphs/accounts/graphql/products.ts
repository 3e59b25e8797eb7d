import { Ctx, Query, Resolver } from 'type-graphql'
import type { AccountsContext } from '../deps.js'
import { productFlags, type ProductFlags } from '../domain/product-flags.js'
import { Products } from './account.type.js'

@Resolver()
export class ProductsResolver {
  @Query(() => Products, { description: "What the key can use; with a platform key, the deployment's products." })
  products(@Ctx() context: AccountsContext): ProductFlags {
    return productFlags(context.caller.products)
  }
}
