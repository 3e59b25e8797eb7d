import { encrypt } from '../../../kernel/encryption.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'

const SECRET_BYTES = 32
const CLIENT_ID_BYTES = 16

/** An integration at its creation: the secret is shown now and only sealed from then on. */
export interface CreatedIntegration {
  integration: Integration
  webhookSecret: string
}

export type NewIntegrationDeps = Pick<AccountsDeps, 'clock' | 'keyRing' | 'publicClientIdPrefix' | 'random'>

/** Makes an integration without storing it, under a new id unless it has one already. */
export function makeIntegration(
  deps: NewIntegrationDeps,
  tenantId: string,
  options: { webhookUrl: string | null; isDefault: boolean },
  publicClientId = deps.publicClientIdPrefix + deps.random(CLIENT_ID_BYTES).toString('hex'),
): CreatedIntegration {
  const { secret, sealed } = newWebhookSecret(deps, { tenantId, publicClientId })
  return {
    webhookSecret: secret,
    integration: {
      ...options,
      tenantId,
      publicClientId,
      webhookSecret: sealed,
      previousWebhookSecret: null,
      previousUntil: null,
      createdAt: deps.clock.now(),
    },
  }
}

/** A new Standard Webhooks secret: `whsec_` and base64 of 32 random bytes. */
export function newSecretText(random: AccountsDeps['random']): string {
  return `whsec_${random(SECRET_BYTES).toString('base64')}`
}

/** A new webhook secret of an integration, as it is and sealed for its row. */
export function newWebhookSecret(
  deps: Pick<AccountsDeps, 'keyRing' | 'random'>,
  owner: Pick<Integration, 'tenantId' | 'publicClientId'>,
): { secret: string; sealed: string } {
  const secret = newSecretText(deps.random)
  return { secret, sealed: encrypt(deps.keyRing, secret, sealContext(owner)) }
}

/** What a sealed secret is bound to: it does not open in another tenant's row. */
export function sealContext({ tenantId, publicClientId }: Pick<Integration, 'tenantId' | 'publicClientId'>): string {
  return `webhook-secret:${tenantId}:${publicClientId}`
}
