import { AppError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import { newWebhookSecret } from './new-integration.js'

/** How long the old secret signs together with the new one, unless said otherwise: the time to bring every receiver up to date. */
const OVERLAP_HOURS = 24

type RotateWebhookSecretDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing' | 'random'>

/**
 * Gives an integration another webhook secret. For 24 hours, or `overlapHours`, everything is signed with the old one too.
 * @returns the new secret, which can never be read again
 * @throws not_found where the tenant has no such integration, invalid_parameters where another request rotates it right now
 */
export async function rotateWebhookSecret(
  deps: RotateWebhookSecretDeps,
  tenant: { id: string },
  { publicClientId, overlapHours = OVERLAP_HOURS }: { publicClientId: string; overlapHours?: number | undefined },
): Promise<{ webhookSecret: string; previousUntil: Date }> {
  const integration = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!integration) throw new AppError('not_found', { message: 'No such integration.' })
  const { secret, sealed } = newWebhookSecret(deps, integration)
  const previousUntil = new Date(deps.clock.now().getTime() + overlapHours * 3_600_000)
  if (await deps.accounts.replaceSecret(integration, sealed, previousUntil)) {
    return { webhookSecret: secret, previousUntil }
  }
  throw new AppError('invalid_parameters', { message: 'Another request has just rotated this secret.' })
}
