import { AppError, validationError } from '../../../kernel/errors.js'
import type { AccountsDeps } from '../deps.js'
import type { ActingTenant } from './acting-tenant.js'
import { newWebhookSecret, sealContext } from './new-integration.js'
import { integrationSeals, integrationSecrets, rotatedSeals } from './webhook-secrets.js'

/** How long the old secret signs together with the new one, unless said otherwise: the time to bring every receiver up to date. */
const OVERLAP_HOURS = 24
/** A week: who needs longer has lost sight of his receivers. */
export const OVERLAP_HOURS_MAX = 168

type RotateWebhookSecretDeps = Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing' | 'random' | 'transaction'>

/** A secret at its rotation: it can never be read again. */
export interface RotatedSecret {
  secret: string
  /** Until when the one before it signs too. */
  previousUntil: Date
}

/** Until when a secret that is rotated now signs too. @throws validation_error on `overlapHours` */
export function overlapEnd({ clock }: Pick<AccountsDeps, 'clock'>, overlapHours: number | null | undefined): Date {
  const hours = overlapHours ?? OVERLAP_HOURS
  if (hours >= 0 && hours <= OVERLAP_HOURS_MAX) return new Date(clock.now().getTime() + hours * 3_600_000)
  throw validationError([{ field: 'overlapHours', message: `must be 0 to ${OVERLAP_HOURS_MAX}` }])
}

/** Another request was faster: the secret that it has shown would be lost. */
export function rotatedElsewhere(): AppError {
  return new AppError('invalid_parameters', { message: 'Another request has just rotated this secret.' })
}

/**
 * Gives an integration another webhook secret. For 24 hours, or `overlapHours`, everything is signed with the old one too;
 * with 0, with the new one alone from now on.
 * @throws validation_error on `overlapHours`, not_found where the tenant has no such integration, invalid_parameters where
 *   another request rotates it right now
 */
export async function rotateWebhookSecret(
  deps: RotateWebhookSecretDeps,
  tenant: ActingTenant,
  { publicClientId, overlapHours }: { publicClientId: string; overlapHours?: number | null | undefined },
): Promise<RotatedSecret> {
  const previousUntil = overlapEnd(deps, overlapHours)
  const integration = await deps.accounts.findIntegration(tenant.id, publicClientId)
  if (!integration) throw new AppError('not_found', { message: 'No such integration.' })
  const { secret, sealed } = newWebhookSecret(deps, sealContext(integration))
  const rotated = rotatedSeals(integrationSeals(integration), sealed, deps.clock.now(), previousUntil)
  const isReplaced = await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    return deps.accounts.replaceSecret(em, integration, integrationSecrets(rotated))
  })
  if (isReplaced) return { secret, previousUntil }
  throw rotatedElsewhere()
}
