import type { KeyRing } from '../../../kernel/encryption.js'
import { openSecrets, type Seals } from '../domain/webhook-secrets.js'
import type { EndpointSecrets, SealedSecrets } from './store/registered-endpoint.entity.js'

/** What a sealed secret is bound to: it does not open in another endpoint's row. */
export function endpointSealContext({ tenantId, id }: Pick<SealedSecrets, 'tenantId' | 'id'>): string {
  return `webhook-endpoint-secret:${tenantId}:${id}`
}

/** An endpoint's secrets. */
export function endpointSeals(endpoint: SealedSecrets): Seals {
  const {
    secret: now,
    previousSecret: before,
    previousUntil: beforeUntil,
    oldestSecret: oldest,
    oldestUntil,
    secretsBetween: between,
  } = endpoint
  return { now, before, beforeUntil, between, oldest, oldestUntil, context: endpointSealContext(endpoint) }
}

/** The columns that hold an endpoint's secrets. */
export function endpointSecrets({ now, before, beforeUntil, between, oldest, oldestUntil }: Seals): EndpointSecrets {
  return {
    ...{ secret: now, previousSecret: before, previousUntil: beforeUntil },
    ...{ oldestSecret: oldest, oldestUntil, secretsBetween: [...between] },
  }
}

/** The `whsec_` secrets that sign what is sent to an endpoint, the newest first; two or more while a rotation lasts. */
export function openEndpointSecrets(keyRing: KeyRing, endpoint: SealedSecrets, now: Date): string[] {
  return openSecrets(keyRing, endpointSeals(endpoint), now)
}
