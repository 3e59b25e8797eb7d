import { Arg, Ctx, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql'
import type { Connection } from '../../../kernel/connection.js'
import { connectionType } from '../../../kernel/subgraph-connection.js'
import { ProductEnum } from '../../../kernel/product.enum.js'
import { DateTime } from '../../../kernel/scalars.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import { operatorOf } from '../../../kernel/subgraph.js'
import type { Product } from '../../../kernel/tenant.js'
import type { AccountsContext } from '../deps.js'
import { changeTenant } from '../domain/change-tenant.js'
import { searchTenants } from '../domain/search-tenants.js'
import type { TenantAccount } from '../store/tenant.entity.js'

@Fields<TenantAccount>('answer', {
  id: { type: () => ID, description: "The tenant's id." },
  name: { type: () => String, description: "The tenant's name." },
  products: { type: () => [ProductEnum], description: 'What it has; what the deployment lacks it cannot use.' },
  fiats: {
    type: () => [String],
    nullable: true,
    description: "The fiat currencies that it is narrowed to; null for all of the deployment's.",
  },
  createdAt: { type: () => DateTime, description: 'When it was created.' },
  disabledAt: {
    type: () => DateTime,
    nullable: true,
    description: 'Since when none of its keys opens anything; null where they do.',
  },
})
@ObjectType('Tenant', { description: 'A customer of the deployment, as its operators see it.' })
class TenantType {}

const TenantConnection = connectionType('Tenant', () => TenantType, { noun: 'a tenant', order: 'the newest first' })

const ID_ARGUMENT = { description: 'Of the tenant.' }

@Resolver()
export class TenantsResolver {
  @Query(() => TenantConnection, { nullable: true, description: 'For operators: the tenants, newest first.' })
  tenants(
    @Arg('search', () => String, {
      nullable: true,
      description:
        'Only the one with this id, and those whose name begins with it; small and capital letters are the same.',
    })
    search: string | null,
    @Arg('first', () => Int, { nullable: true, description: '1 to 100, by default 20.' }) first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'The cursor to go on behind.' }) after: string | null,
    @Ctx() context: AccountsContext,
  ): Promise<Connection<TenantAccount>> {
    operatorOf(context)
    return searchTenants(context.deps, { search, first, after })
  }

  @Mutation(() => TenantType, {
    description: 'For operators: says which products a tenant has, within five seconds.',
  })
  changeTenantProducts(
    @Arg('id', () => ID, ID_ARGUMENT) id: string,
    @Arg('products', () => [ProductEnum], { description: 'All that it has from then on.' }) products: Product[],
    @Ctx() context: AccountsContext,
  ): Promise<TenantAccount> {
    operatorOf(context)
    return changeTenant(context.deps, { id }, { products })
  }

  @Mutation(() => TenantType, {
    description:
      'For operators: no key of the tenant opens anything any more, within five seconds; what is paid is settled as ever.',
  })
  disableTenant(@Arg('id', () => ID, ID_ARGUMENT) id: string, @Ctx() context: AccountsContext): Promise<TenantAccount> {
    operatorOf(context)
    return changeTenant(context.deps, { id }, { disabled: true })
  }

  @Mutation(() => TenantType, { description: 'For operators: the keys of the tenant open again what they did.' })
  enableTenant(@Arg('id', () => ID, ID_ARGUMENT) id: string, @Ctx() context: AccountsContext): Promise<TenantAccount> {
    operatorOf(context)
    return changeTenant(context.deps, { id }, { disabled: false })
  }
}
