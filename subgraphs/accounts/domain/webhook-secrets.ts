import { decrypt, type KeyRing } from '../../../kernel/encryption.js'
import { AppError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration, KeptSecret } from '../store/integration.entity.js'
import type { IntegrationSecrets } from '../store/integrations.js'
import { sealContext } from './new-integration.js'

/** How many secrets may sign: each adds its signature to every delivery. */
const SIGNING_MAX = 8

/**
 * The secrets of a row, sealed: the one that signs; the one before its rotation, which signs too until that ends; and all
 * before that whose time lasts: the oldest one, and those between the two, the newest first.
 */
export interface Seals {
  now: string
  before: string | null | undefined
  beforeUntil: Date | null | undefined
  between: readonly KeptSecret[]
  oldest: string | null | undefined
  oldestUntil: Date | null | undefined
  /** What they are bound to. */
  context: string
}

/** An integration's secrets. */
export function integrationSeals(integration: Integration): Seals {
  const { webhookSecret: now, previousWebhookSecret: before, previousUntil: beforeUntil } = integration
  const { oldestWebhookSecret: oldest, oldestUntil, secretsBetween: between } = integration
  return { now, before, beforeUntil, between, oldest, oldestUntil, context: sealContext(integration) }
}

/** The columns that hold an integration's secrets. */
export function integrationSecrets(seals: Seals): IntegrationSecrets {
  const { now, before, beforeUntil, between, oldest, oldestUntil } = seals
  return {
    ...{ webhookSecret: now, previousWebhookSecret: before, previousUntil: beforeUntil },
    ...{ oldestWebhookSecret: oldest, oldestUntil, secretsBetween: [...between] },
  }
}

/** The same, without the earlier ones that sign no more. */
export function signingSeals(seals: Seals, at: Date): Seals {
  return {
    ...seals,
    ...(!signs(seals.beforeUntil, at) && { before: null }),
    between: seals.between.filter(({ until }) => signs(new Date(until), at)),
    ...(!signs(seals.oldestUntil, at) && { oldest: null }),
  }
}

/**
 * What a rotation makes of a row's secrets. The one that it replaces signs on, and so do all earlier ones whose time lasts: which of them
 * receivers have is not known, as answers are lost with their secrets. Without an overlap all of them end.
 * @throws invalid_parameters where as many sign already as may
 */
export function rotatedSeals(seals: Seals, sealed: string, at: Date, until: Date): Seals {
  const kept = until > at ? earlierSecrets(signingSeals(seals, at)) : []
  if (kept.length + 2 > SIGNING_MAX) throw tooManySecrets()
  const oldest = kept.at(-1)
  return {
    ...seals,
    ...{ now: sealed, before: seals.now, beforeUntil: until, between: kept.slice(0, -1) },
    ...{ oldest: oldest?.sealed ?? null, oldestUntil: oldest ? new Date(oldest.until) : null },
  }
}

/** All but the one that signs for good, the newest first. */
function earlierSecrets({ before, beforeUntil, between, oldest, oldestUntil }: Seals): KeptSecret[] {
  const keptOf = (secret: string | null | undefined, until: Date | null | undefined): KeptSecret[] =>
    secret && until ? [{ sealed: secret, until: until.toISOString() }] : []
  return [...keptOf(before, beforeUntil), ...between, ...keptOf(oldest, oldestUntil)]
}

function tooManySecrets(): AppError {
  return new AppError('invalid_parameters', {
    message: `${SIGNING_MAX} secrets sign already. Wait until the overlap of one ends, or rotate with none, which ends all of them.`,
  })
}

function signs(until: Date | null | undefined, at: Date): boolean {
  return until != null && until > at
}

/** The `whsec_` secrets that sign at a time, the newest first; two or more while a rotation lasts. */
export function openSecrets(ring: KeyRing, seals: Seals, at: Date): string[] {
  const { now, before, between, oldest, context } = signingSeals(seals, at)
  return [now, before, ...between.map(({ sealed }) => sealed), oldest]
    .filter((secret) => secret != null)
    .map((secret) => decrypt(ring, secret, context))
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
