import { changeTenant } from '../domain/change-tenant.js'
import { createTenant, type CreateTenantDeps } from '../domain/create-tenant.js'
import { findTenant } from '../domain/find-tenant.js'
import { limitFiats } from '../domain/limit-fiats.js'
import { listApiKeys } from '../domain/list-api-keys.js'
import { listTenants } from '../domain/list-tenants.js'
import type { TenantAccount } from '../store/tenant.entity.js'
import { integrationView } from './integration-commands.js'
import { keyView } from './key-commands.js'
import type { TenantCommand } from './read-command.js'

type OwnCommand = Exclude<TenantCommand, { name: `${'key' | 'integration'} ${string}` | 'rotate-secrets' }>

/** Runs a command about tenants. See `runCommand`. */
export async function runTenantCommand(deps: CreateTenantDeps, command: OwnCommand): Promise<object> {
  switch (command.name) {
    case 'create': {
      const { tenantName, products, mode, webhookUrl } = command
      const created = await createTenant(deps, { name: tenantName, products, mode, webhookUrl })
      return {
        id: created.tenant.id,
        name: created.tenant.name,
        products: created.tenant.products,
        created_at: created.tenant.createdAt,
        public_client_id: created.integration.publicClientId,
        webhook_url: created.integration.webhookUrl,
        webhook_secret: created.webhookSecret,
        key_id: created.apiKey.id,
        api_key: created.key,
      }
    }
    case 'list': {
      const { tenants, next } = await listTenants(deps, { after: command.after })
      return { tenants: tenants.map(tenantView), next }
    }
    case 'show': {
      const tenant = await findTenant(deps, { id: command.tenantId })
      const [integrations, keys] = await Promise.all([
        deps.accounts.listIntegrations(tenant.id),
        listApiKeys(deps, tenant),
      ])
      return { ...tenantView(tenant), integrations: integrations.map(integrationView), keys: keys.map(keyView) }
    }
    case 'change': {
      const { tenantId, tenantName: name, products } = command
      return tenantView(await changeTenant(deps, { id: tenantId }, { name, products }))
    }
    case 'disable':
    case 'enable':
      return tenantView(await changeTenant(deps, { id: command.tenantId }, { disabled: command.name === 'disable' }))
    case 'limit-fiats': {
      const { id, fiats } = await limitFiats(deps, { id: command.tenantId }, { fiats: command.fiats })
      return { id, fiats }
    }
  }
}

function tenantView({ id, name, products, fiats, disabledAt, createdAt }: TenantAccount): object {
  return { id, name, products, fiats, disabled_at: disabledAt, created_at: createdAt }
}
