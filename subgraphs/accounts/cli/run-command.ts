import { createApiKey } from '../domain/create-api-key.js'
import { createIntegration } from '../domain/create-integration.js'
import { createPlatformKey } from '../domain/create-platform-key.js'
import { createTenant, type CreateTenantDeps } from '../domain/create-tenant.js'
import { limitFiats } from '../domain/limit-fiats.js'
import { listApiKeys } from '../domain/list-api-keys.js'
import { resealWebhookSecrets } from '../domain/reseal-webhook-secrets.js'
import { revokeApiKey } from '../domain/revoke-api-key.js'
import type { ApiKey } from '../store/api-key.entity.js'
import type { TenantCommand } from './read-command.js'

/**
 * Runs one command.
 * @returns what is printed as JSON, in the names that REST uses
 * @throws AppError where a tenant or a key does not exist or an input is refused
 */
export async function runCommand(deps: CreateTenantDeps, command: TenantCommand): Promise<object> {
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
    case 'key create': {
      const { tenantId, keyName, mode, expiresAt } = command
      const input = { name: keyName, mode, expiresAt }
      const created = await (tenantId === null
        ? createPlatformKey(deps, input)
        : createApiKey(deps, { id: tenantId }, input))
      return { ...keyView(created.apiKey), api_key: created.key }
    }
    case 'key list': {
      const { tenantId } = command
      const keys = await listApiKeys(deps, tenantId === null ? null : { id: tenantId })
      return { keys: keys.map(keyView) }
    }
    case 'key revoke':
      return keyView(await revokeApiKey(deps, { keyId: command.keyId }))
    case 'integration add': {
      const { tenantId, publicClientId, webhookUrl } = command
      const { integration, webhookSecret } = await createIntegration(
        deps,
        { id: tenantId },
        { publicClientId, webhookUrl },
      )
      return {
        tenant_id: integration.tenantId,
        public_client_id: integration.publicClientId,
        webhook_url: integration.webhookUrl,
        webhook_secret: webhookSecret,
        created_at: integration.createdAt,
      }
    }
    case 'limit-fiats': {
      const { id, fiats } = await limitFiats(deps, { id: command.tenantId }, { fiats: command.fiats })
      return { id, fiats }
    }
    case 'rotate-secrets': {
      const { count, notOpened } = await resealWebhookSecrets(deps)
      return {
        sealed_again: count,
        not_opened: notOpened.map(({ tenantId, publicClientId }) => ({
          tenant_id: tenantId,
          public_client_id: publicClientId,
        })),
      }
    }
  }
}

/** What may be shown of a key at any time: not its hash. */
function keyView(key: ApiKey): object {
  return {
    id: key.id,
    tenant_id: key.tenantId,
    name: key.name,
    prefix: key.prefix,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    created_at: key.createdAt,
  }
}
