import { decrypt, encrypt, isSealedWithCurrent, type KeyRing } from '../../../kernel/encryption.js'
import type { AccountsDeps } from '../deps.js'
import type { Integration } from '../store/integration.entity.js'
import { sealContext } from './new-integration.js'

/** What came of it. `notOpened` are integrations whose secret no key of the ring opens: they need a new one. */
export interface Resealed {
  /** Integrations of which a secret was sealed again, or one that signs no more was dropped. */
  count: number
  notOpened: Pick<Integration, 'tenantId' | 'publicClientId'>[]
}

/**
 * Seals every webhook secret of the deployment again that an earlier master key has sealed. The product may run meanwhile: it
 * opens both. Once this is through with nothing in `notOpened`, the earlier key is not needed any more.
 */
export async function resealWebhookSecrets(
  deps: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
): Promise<Resealed> {
  const resealed: Resealed = { count: 0, notOpened: [] }
  let after: Integration | undefined
  for (;;) {
    const integrations = await deps.accounts.nextIntegrations(after)
    for (const integration of integrations) {
      const outcome = await resealOne(deps, integration)
      if (outcome === 'sealed again') resealed.count += 1
      if (outcome === 'not opened') {
        const { tenantId, publicClientId } = integration
        resealed.notOpened.push({ tenantId, publicClientId })
      }
    }
    after = integrations.at(-1)
    if (!after) return resealed
  }
}

async function resealOne(
  { accounts, clock, keyRing }: Pick<AccountsDeps, 'accounts' | 'clock' | 'keyRing'>,
  listed: Integration,
): Promise<'current' | 'sealed again' | 'not opened'> {
  let integration: Integration | undefined = listed
  while (integration) {
    const { webhookSecret, previousWebhookSecret, previousUntil } = integration
    const context = sealContext(integration)
    // One that signs no more is not carried on; its key may be gone for long.
    const previous = previousUntil && previousUntil > clock.now() ? (previousWebhookSecret ?? null) : null
    let sealed: { webhookSecret: string; previousWebhookSecret: string | null }
    try {
      sealed = {
        webhookSecret: reseal(keyRing, webhookSecret, context),
        previousWebhookSecret: previous && reseal(keyRing, previous, context),
      }
    } catch {
      return 'not opened'
    }
    if (sealed.webhookSecret === webhookSecret && sealed.previousWebhookSecret === (previousWebhookSecret ?? null)) {
      return 'current'
    }
    if (await accounts.replaceSeals(integration, sealed)) return 'sealed again'
    // The secret was rotated at this moment: what was read is the one before now.
    integration = await accounts.findIntegration(integration.tenantId, integration.publicClientId)
  }
  return 'current'
}

function reseal(ring: KeyRing, sealed: string, context: string): string {
  return isSealedWithCurrent(ring, sealed) ? sealed : encrypt(ring, decrypt(ring, sealed, context), context)
}
