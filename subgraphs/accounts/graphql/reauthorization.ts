import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql'
import type { AccountsContext } from '../deps.js'
import { reauthorizationOf } from '../domain/acting-tenant.js'

@Resolver()
export class ReauthorizationResolver {
  @Directive('@inaccessible')
  @Query(() => Boolean, { description: 'That the person who calls may do something now; refused where it is not so.' })
  async mayStill(
    @Arg('field', () => String, { description: 'The root field that is done.' }) field: string,
    @Ctx() { deps, caller }: AccountsContext,
  ): Promise<boolean> {
    await deps.transaction(reauthorizationOf(deps, caller, field))
    return true
  }
}
