import { AppError } from '../../../kernel/errors.js'
import type { Product } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import type { ApiKeyMode } from './api-key.js'
import { makeApiKey, type CreatedApiKey } from './new-api-key.js'
import { makeIntegration, type CreatedIntegration, type NewIntegrationDeps } from './new-integration.js'

export interface CreateTenantInput {
  name: string
  /** What the tenant may use, as far as the deployment has it. */
  products: readonly Product[]
  /** Of its first key. */
  mode: ApiKeyMode
  webhookUrl: string | null
}

/** A tenant at its creation; key and secret are shown now and never again. */
export interface CreatedTenant extends CreatedApiKey, CreatedIntegration {
  tenant: TenantAccount
}

const NAME_MAX_LENGTH = 200

export type CreateTenantDeps = NewIntegrationDeps & Pick<AccountsDeps, 'accounts' | 'newId'>

/**
 * Creates a tenant with all it needs to begin: its default integration and a first key.
 * @throws invalid_parameters when the name is empty or too long
 */
export async function createTenant(deps: CreateTenantDeps, input: CreateTenantInput): Promise<CreatedTenant> {
  const tenant = newTenant(deps, input)
  const integration = makeIntegration(deps, tenant.id, { webhookUrl: input.webhookUrl, isDefault: true })
  const key = makeApiKey(deps, tenant.id, { name: 'first key', mode: input.mode, expiresAt: null })
  await deps.accounts.addTenant(tenant, integration.integration, key.apiKey)
  return { tenant, ...integration, ...key }
}

/** A tenant that is not stored yet. @throws invalid_parameters when the name is empty or too long */
export function newTenant(
  deps: Pick<AccountsDeps, 'clock' | 'newId'>,
  { name, products }: Pick<CreateTenantInput, 'name' | 'products'>,
): TenantAccount {
  return {
    id: deps.newId(),
    name: checkTenantName(name),
    products: [...new Set(products)],
    fiats: null,
    createdAt: deps.clock.now(),
    disabledAt: null,
  }
}

/** A tenant's name as it is stored. @throws invalid_parameters when it is empty or too long */
export function checkTenantName(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= NAME_MAX_LENGTH) return name
  throw new AppError('invalid_parameters', { message: `A tenant's name has 1 to ${NAME_MAX_LENGTH} characters.` })
}
