import type { AccountsDeps } from '../deps.js'
import { changeIntegration } from '../domain/change-integration.js'
import { createIntegration } from '../domain/create-integration.js'
import type { CreateTenantDeps } from '../domain/create-tenant.js'
import { findTenant } from '../domain/find-tenant.js'
import { resealWebhookSecrets } from '../domain/reseal-webhook-secrets.js'
import { rotateWebhookSecret } from '../domain/rotate-webhook-secret.js'
import type { Integration } from '../store/integration.entity.js'
import type { TenantCommand } from './read-command.js'

/** What the commands need. */
export type IntegrationCommandDeps = CreateTenantDeps & Pick<AccountsDeps, 'registeredEndpoints'>

type IntegrationCommand = Extract<TenantCommand, { name: `integration ${string}` | 'rotate-secrets' }>

export function isIntegrationCommand(command: TenantCommand): command is IntegrationCommand {
  return command.name.startsWith('integration ') || command.name === 'rotate-secrets'
}

/** Runs a command about integrations and their secrets. See `runCommand`. */
export async function runIntegrationCommand(
  deps: IntegrationCommandDeps,
  command: IntegrationCommand,
): Promise<object> {
  switch (command.name) {
    case 'integration list': {
      const tenant = await findTenant(deps, { id: command.tenantId })
      return { integrations: (await deps.accounts.listIntegrations(tenant.id)).map(integrationView) }
    }
    case 'integration change': {
      const { tenantId, publicClientId, webhookUrl } = command
      return integrationView(await changeIntegration(deps, { id: tenantId }, { publicClientId, webhookUrl }))
    }
    case 'integration rotate': {
      const { tenantId, publicClientId, overlapHours } = command
      const { webhookSecret, previousUntil } = await rotateWebhookSecret(
        deps,
        { id: tenantId },
        { publicClientId, overlapHours },
      )
      return { public_client_id: publicClientId, webhook_secret: webhookSecret, old_secret_until: previousUntil }
    }
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
    case 'rotate-secrets': {
      const { count, notOpened } = await resealWebhookSecrets(deps)
      return {
        sealed_again: count,
        not_opened: notOpened.map((owner) => ({
          tenant_id: owner.tenantId,
          ...('endpointId' in owner ? { endpoint_id: owner.endpointId } : { public_client_id: owner.publicClientId }),
        })),
      }
    }
  }
}

/** What may be shown of an integration at any time: not its secret. */
export function integrationView({
  publicClientId,
  webhookUrl,
  isDefault,
  previousUntil,
  createdAt,
}: Integration): object {
  return {
    public_client_id: publicClientId,
    webhook_url: webhookUrl,
    is_default: isDefault,
    old_secret_until: previousUntil,
    created_at: createdAt,
  }
}
