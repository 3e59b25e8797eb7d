import { decrypt, encrypt, type KeyRing } from '../../../kernel/encryption.js'
import { newSecretText } from '../domain/new-integration.js'
import type { RandomBytes } from '../domain/api-key.js'
import type { SealedSecrets } from './store/registered-endpoint.entity.js'

/** What a sealed secret is bound to: it does not open in another endpoint's row. */
export function endpointSealContext({ tenantId, id }: Pick<SealedSecrets, 'tenantId' | 'id'>): string {
  return `webhook-endpoint-secret:${tenantId}:${id}`
}

/** A new Standard Webhooks secret of an endpoint, as it is and sealed for its row. */
export function newEndpointSecret(
  { keyRing, random }: { keyRing: KeyRing; random: RandomBytes },
  owner: Pick<SealedSecrets, 'tenantId' | 'id'>,
): { secret: string; sealed: string } {
  const secret = newSecretText(random)
  return { secret, sealed: encrypt(keyRing, secret, endpointSealContext(owner)) }
}

/** The `whsec_` secrets that sign what is sent to an endpoint, the newest first; two while a rotation lasts. */
export function openEndpointSecrets(keyRing: KeyRing, endpoint: SealedSecrets, now: Date): string[] {
  const { secret, previousSecret, previousUntil } = endpoint
  const sealed = [secret]
  if (previousSecret && previousUntil && previousUntil > now) sealed.push(previousSecret)
  return sealed.map((text) => decrypt(keyRing, text, endpointSealContext(endpoint)))
}
