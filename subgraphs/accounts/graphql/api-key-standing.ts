import { Arg, Ctx, Directive, Query, Resolver } from 'type-graphql'
import { AppError } from '../../../kernel/errors.js'
import type { AccountsContext } from '../deps.js'
import { keyStatus } from '../domain/key-status.js'
import type { KeyStatus } from '../store/accounts.js'
import { KeyStanding } from './account.type.js'

@Resolver()
export class ApiKeyStandingResolver {
  @Directive('@inaccessible')
  @Query(() => KeyStanding, {
    nullable: true,
    description: 'A key by its SHA-256 (hex); null where it is not valid now.',
  })
  apiKeyStanding(
    @Arg('hash', () => String, { description: 'SHA-256 of the key, hex.' }) hash: string,
    @Ctx() context: AccountsContext,
  ): Promise<KeyStatus | null> {
    // Asked by the gateway before there is a tenant; a tenant has no business with other tenants' keys.
    if (context.caller.tenantId !== null) throw new AppError('unauthorized')
    return keyStatus(context.deps, { hash })
  }
}
