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
  const { secret, sealed } = newWebhookSecret(deps, sealContext({ tenantId, publicClientId }))
  return {
    webhookSecret: secret,
    integration: {
      ...options,
      tenantId,
      publicClientId,
      webhookSecret: sealed,
      previousWebhookSecret: null,
      previousUntil: null,
      oldestWebhookSecret: null,
      oldestUntil: null,
      secretsBetween: [],
      createdAt: deps.clock.now(),
    },
  }
}

/** A new Standard Webhooks secret, `whsec_` and base64 of 32 random bytes: as it is, and sealed for its row. */
export function newWebhookSecret(
  deps: Pick<AccountsDeps, 'keyRing' | 'random'>,
  context: string,
): { secret: string; sealed: string } {
  const secret = `whsec_${deps.random(SECRET_BYTES).toString('base64')}`
  return { secret, sealed: encrypt(deps.keyRing, secret, context) }
}

/** What a sealed secret is bound to: it does not open in another tenant's row. */
export function sealContext({ tenantId, publicClientId }: Pick<Integration, 'tenantId' | 'publicClientId'>): string {
  return `webhook-secret:${tenantId}:${publicClientId}`
}
