import { decrypt, encrypt, isSealedWithCurrent, type KeyRing } from '../../../kernel/encryption.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import { endpointSealContext } from '../webhooks/endpoint-secrets.js'
import type { RegisteredEndpoint } from '../webhooks/store/registered-endpoint.entity.js'
import { sealContext } from './new-integration.js'

/** What came of it. `notOpened` are integrations and endpoints whose secret no key of the ring opens: they need a new one. */
export interface Resealed {
  /** Integrations and registered endpoints of which a secret was sealed again, or one that signs no more was dropped. */
  count: number
  notOpened: (Pick<Integration, 'tenantId' | 'publicClientId'> | { tenantId: string; endpointId: string })[]
}

/**
 * Seals every webhook secret of the deployment again that an earlier master key has sealed. The product may run meanwhile: it
 * opens both. Once this is through with nothing in `notOpened`, the earlier key is not needed any more.
 */
export async function resealWebhookSecrets(
  deps: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing' | 'registeredEndpoints'>,
): Promise<Resealed> {
  const outcomes: Resealed = { count: 0, notOpened: [] }
  let after: Integration | undefined
  for (;;) {
    const integrations = await deps.accounts.nextIntegrations(after)
    for (const integration of integrations) {
      const outcome = await resealOne(deps, integration)
      if (outcome === 'sealed again') outcomes.count += 1
      if (outcome === 'not opened') {
        const { tenantId, publicClientId } = integration
        outcomes.notOpened.push({ tenantId, publicClientId })
      }
    }
    after = integrations.at(-1)
    if (!after) return resealEndpoints(deps, outcomes)
  }
}

async function resealEndpoints(
  deps: Pick<AccountsDeps, 'clock' | 'keyRing' | 'registeredEndpoints'>,
  outcomes: Resealed,
): Promise<Resealed> {
  let after: RegisteredEndpoint | undefined
  for (;;) {
    const endpoints = await deps.registeredEndpoints.nextEndpoints(after)
    for (const endpoint of endpoints) {
      const outcome = await resealEndpoint(deps, endpoint)
      if (outcome === 'sealed again') outcomes.count += 1
      if (outcome === 'not opened') outcomes.notOpened.push({ tenantId: endpoint.tenantId, endpointId: endpoint.id })
    }
    after = endpoints.at(-1)
    if (!after) return outcomes
  }
}

async function resealEndpoint(
  { clock, keyRing, registeredEndpoints }: Pick<AccountsDeps, 'clock' | 'keyRing' | 'registeredEndpoints'>,
  listed: RegisteredEndpoint,
): Promise<SealOutcome> {
  let endpoint: RegisteredEndpoint | undefined = listed
  while (endpoint) {
    const { secret, previousSecret, previousUntil } = endpoint
    const seals = { now: secret, before: previousSecret ?? null, beforeUntil: previousUntil ?? null }
    const sealed = resealed(keyRing, seals, endpointSealContext(endpoint), clock.now())
    if (typeof sealed === 'string') return sealed
    const replaced = { secret: sealed.now, previousSecret: sealed.before }
    if (await registeredEndpoints.replaceSeals(endpoint, replaced)) return 'sealed again'
    endpoint = await registeredEndpoints.find(endpoint.tenantId, endpoint.id)
  }
  return 'current'
}

async function resealOne(
  { accounts, clock, keyRing }: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
  listed: Integration,
): Promise<SealOutcome> {
  let integration: Integration | undefined = listed
  while (integration) {
    const { webhookSecret, previousWebhookSecret, previousUntil } = integration
    const seals = { now: webhookSecret, before: previousWebhookSecret ?? null, beforeUntil: previousUntil ?? null }
    const sealed = resealed(keyRing, seals, sealContext(integration), clock.now())
    if (typeof sealed === 'string') return sealed
    const replaced = { webhookSecret: sealed.now, previousWebhookSecret: sealed.before }
    if (await accounts.replaceSeals(integration, replaced)) return 'sealed again'
    // The secret was rotated at this moment: what was read is the one before now.
    integration = await accounts.findIntegration(integration.tenantId, integration.publicClientId)
  }
  return 'current'
}

type SealOutcome = 'current' | 'sealed again' | 'not opened'

/** The sealed secret of a row, and the one before it. */
interface Seals {
  now: string
  before: string | null
}

/** The same secrets, sealed again; or why there is nothing to write. */
function resealed(
  ring: KeyRing,
  { now, before, beforeUntil }: Seals & { beforeUntil: Date | null },
  context: string,
  at: Date,
): Seals | 'current' | 'not opened' {
  // One that signs no more is not carried on; its key may be gone for long.
  const kept = beforeUntil && beforeUntil > at ? before : null
  try {
    const sealed = { now: reseal(ring, now, context), before: kept && reseal(ring, kept, context) }
    return sealed.now === now && sealed.before === before ? 'current' : sealed
  } catch {
    return 'not opened'
  }
}

function reseal(ring: KeyRing, sealed: string, context: string): string {
  return isSealedWithCurrent(ring, sealed) ? sealed : encrypt(ring, decrypt(ring, sealed, context), context)
}
