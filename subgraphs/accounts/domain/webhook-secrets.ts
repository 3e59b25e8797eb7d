import { decrypt, type KeyRing } from '../../../kernel/encryption.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import { sealContext } from './new-integration.js'

/** The secrets of a row, sealed: the one that signs, and the one before its rotation, which signs too until that ends. */
export interface Seals {
  now: string
  before: string | null | undefined
  beforeUntil: Date | null | undefined
  /** What they are bound to. */
  context: string
}

/** An integration's secrets. */
export function integrationSeals(integration: Integration): Seals {
  const { webhookSecret: now, previousWebhookSecret: before, previousUntil: beforeUntil } = integration
  return { now, before, beforeUntil, context: sealContext(integration) }
}

/** The `whsec_` secrets that sign at a time, the newest first; two while a rotation lasts. */
export function openSecrets(ring: KeyRing, { now, before, beforeUntil, context }: Seals, at: Date): string[] {
  const sealed = [now]
  if (before && beforeUntil && beforeUntil > at) sealed.push(before)
  return sealed.map((secret) => decrypt(ring, secret, context))
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
