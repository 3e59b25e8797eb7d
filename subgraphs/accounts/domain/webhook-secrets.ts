import { decrypt, type KeyRing } from '../../../kernel/encryption.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import type { IntegrationSecrets } from '../store/integrations.js'
import { sealContext } from './new-integration.js'

/**
 * The secrets of a row, sealed: the one that signs; the one before its rotation, which signs too until that ends; and the one
 * that was in use when the first of several rotations began, until its time ends.
 */
export interface Seals {
  now: string
  before: string | null | undefined
  beforeUntil: Date | null | undefined
  oldest: string | null | undefined
  oldestUntil: Date | null | undefined
  /** What they are bound to. */
  context: string
}

/** An integration's secrets. */
export function integrationSeals(integration: Integration): Seals {
  const { webhookSecret: now, previousWebhookSecret: before, previousUntil: beforeUntil } = integration
  const { oldestWebhookSecret: oldest, oldestUntil } = integration
  return { now, before, beforeUntil, oldest, oldestUntil, context: sealContext(integration) }
}

/** The columns that hold an integration's secrets. */
export function integrationSecrets({ now, before, beforeUntil, oldest, oldestUntil }: Seals): IntegrationSecrets {
  return {
    ...{ webhookSecret: now, previousWebhookSecret: before, previousUntil: beforeUntil },
    ...{ oldestWebhookSecret: oldest, oldestUntil },
  }
}

/** The same, without the earlier ones that sign no more. */
export function signingSeals(seals: Seals, at: Date): Seals {
  return {
    ...seals,
    ...(!signs(seals.beforeUntil, at) && { before: null }),
    ...(!signs(seals.oldestUntil, at) && { oldest: null }),
  }
}

/**
 * What a rotation makes of a row's secrets. The one that it replaces signs on. So does the oldest one whose time lasts: it is what
 * receivers have where an answer was lost with its secret, and the rotation is repeated. Without an overlap all of them end.
 */
export function rotatedSeals(seals: Seals, sealed: string, at: Date, until: Date): Seals {
  const { oldest, oldestUntil, before, beforeUntil } = signingSeals(seals, at)
  const kept = oldest ? { oldest, oldestUntil } : { oldest: before, oldestUntil: before ? beforeUntil : null }
  return {
    ...seals,
    ...{ now: sealed, before: seals.now, beforeUntil: until },
    ...(until > at ? kept : { oldest: null, oldestUntil: null }),
  }
}

function signs(until: Date | null | undefined, at: Date): boolean {
  return until != null && until > at
}

/** The `whsec_` secrets that sign at a time, the newest first; two or three while a rotation lasts. */
export function openSecrets(ring: KeyRing, seals: Seals, at: Date): string[] {
  const { now, before, oldest, context } = signingSeals(seals, at)
  return [now, before, oldest].filter((secret) => secret != null).map((secret) => decrypt(ring, secret, context))
}

/**
 * The secrets that sign what a tenant is told. Payments may name a public id that is no integration of ours: then the default
 * integration signs. Empty where the tenant has none.
 */
export async function webhookSecrets(
  deps: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
  { id: tenantId }: Pick<Tenant, 'id'>,
  { publicClientId }: { publicClientId: string | null },
): Promise<string[]> {
  const { accounts, clock, keyRing } = deps
  const named = publicClientId === null ? undefined : await accounts.findIntegration(tenantId, publicClientId)
  const integration = named ?? (await accounts.findIntegration(tenantId, null))
  return integration ? openSecrets(keyRing, integrationSeals(integration), clock.now()) : []
}
