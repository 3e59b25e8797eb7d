import { neededOption, UsageError } from '../../../kernel/command-line.js'
import { changeIntegration } from '../domain/change-integration.js'
import { createIntegration } from '../domain/create-integration.js'
import { findTenant } from '../domain/find-tenant.js'
import { resealWebhookSecrets } from '../domain/reseal-webhook-secrets.js'
import { rotateWebhookSecret } from '../domain/rotate-webhook-secret.js'
import type { Integration } from '../store/integration.entity.js'
import { resealAnswers } from '../webhooks/reseal-answers.js'
import { resealBodies } from '../webhooks/reseal-bodies.js'
import type { Commands } from './command.js'
import { FLAG, overlapOption, tenantOption, TEXT, textOption, webhookUrlOption } from './options.js'

export const INTEGRATION_COMMANDS: Commands = {
  'integration add': {
    usage: '--tenant ID [--public-client-id ID] [--webhook-url URL]',
    help: 'another integration, under an id of its own or one that it has had elsewhere',
    options: { tenant: TEXT, 'public-client-id': TEXT, 'webhook-url': TEXT },
    seals: true,
    read: (values) => {
      const tenant = tenantOption(values)
      const input = { publicClientId: textOption(values, 'public-client-id'), webhookUrl: webhookUrlOption(values) }
      return async (deps) => {
        const { integration, webhookSecret } = await createIntegration(deps, tenant, input)
        return {
          tenant_id: integration.tenantId,
          public_client_id: integration.publicClientId,
          webhook_url: integration.webhookUrl,
          webhook_secret: webhookSecret,
          created_at: integration.createdAt,
        }
      }
    },
  },
  'integration list': {
    usage: '--tenant ID',
    options: { tenant: TEXT },
    isRead: true,
    read: (values) => {
      const named = tenantOption(values)
      return async (deps) => {
        const { id } = await findTenant(deps, named)
        return { integrations: (await deps.accounts.listIntegrations(id)).map(integrationView) }
      }
    },
  },
  'integration change': {
    usage: '--tenant ID --public-client-id ID (--webhook-url URL | --no-webhook-url)',
    help: 'where events go when a payment or an order names no address',
    options: { tenant: TEXT, 'public-client-id': TEXT, 'webhook-url': TEXT, 'no-webhook-url': FLAG },
    read: (values) => {
      if ((values['webhook-url'] === undefined) === (values['no-webhook-url'] === undefined)) {
        throw new UsageError('Either --webhook-url or --no-webhook-url is needed.')
      }
      const tenant = tenantOption(values)
      const publicClientId = neededOption(values, 'public-client-id')
      const change = { publicClientId, webhookUrl: webhookUrlOption(values) }
      return async (deps) => integrationView(await changeIntegration(deps, await findTenant(deps, tenant), change))
    },
  },
  'integration rotate': {
    usage: '--tenant ID --public-client-id ID [--overlap-hours 24]',
    help: 'another webhook secret; for that long everything is signed with the old one too',
    options: { tenant: TEXT, 'public-client-id': TEXT, 'overlap-hours': TEXT },
    seals: true,
    read: (values) => {
      const tenant = tenantOption(values)
      const publicClientId = neededOption(values, 'public-client-id')
      const overlapHours = overlapOption(values)
      return async (deps) => {
        const { secret, previousUntil } = await rotateWebhookSecret(deps, tenant, { publicClientId, overlapHours })
        return { public_client_id: publicClientId, webhook_secret: secret, old_secret_until: previousUntil }
      }
    },
  },
  'rotate-secrets': {
    usage: '',
    help: 'seals with MASTER_KEY the webhook secrets, webhooks about people, and answers to webhooks, that it has not sealed; what they hold stays',
    options: {},
    seals: true,
    read: () => async (deps) => {
      const { count, notOpened } = await resealWebhookSecrets(deps)
      const bodies = await resealBodies(deps)
      const answers = await resealAnswers(deps)
      return {
        sealed_again: count + bodies.count + answers.count,
        not_opened: [
          ...notOpened.map((owner) => ({
            tenant_id: owner.tenantId,
            ...('endpointId' in owner ? { endpoint_id: owner.endpointId } : { public_client_id: owner.publicClientId }),
          })),
          ...bodies.notOpened.map(({ tenantId, id }) => ({ tenant_id: tenantId, delivery_id: id })),
          ...answers.notOpened.map(({ tenantId, deliveryId, number }) => ({
            ...{ tenant_id: tenantId, delivery_id: deliveryId },
            attempt: number,
          })),
        ],
      }
    },
  },
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
