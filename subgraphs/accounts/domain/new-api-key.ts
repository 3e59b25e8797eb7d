import { AppError } from '../../../kernel/errors.js'
import type { Scope } from '../../../kernel/permissions.js'
import type { AccountsDeps } from '../deps.js'
import type { ApiKey } from '../store/api-key.entity.js'
import { displayPrefix, hashApiKey, newApiKey, type ApiKeyMode } from './api-key.js'

/** What is chosen of a key. */
export interface ApiKeyInput {
  name: string
  mode: ApiKeyMode
  /** What it is narrowed to; left out or null for all that its owner may. */
  scopes?: readonly Scope[] | null
  /** Null for a key that does not expire. */
  expiresAt: Date | null
  /** The id of the person who makes it at the console; left out on the command line. */
  createdBy?: string
  /** The integration that uses it; left out or null for the tenant's default one. */
  publicClientId?: string | null
}

/** A key at its creation: the only moment at which its text is known. */
export interface CreatedApiKey {
  apiKey: ApiKey
  key: string
}

/**
 * Makes a key without storing it.
 * @param tenantId null for a platform key
 * @throws invalid_parameters when it would be expired already
 */
export function makeApiKey(
  deps: Pick<AccountsDeps, 'clock' | 'newId' | 'random'>,
  tenantId: string | null,
  { name, mode, scopes, expiresAt, createdBy, publicClientId }: ApiKeyInput,
): CreatedApiKey {
  const now = deps.clock.now()
  if (expiresAt && expiresAt <= now) throw new AppError('invalid_parameters', { message: 'The expiry is in the past.' })
  const key = newApiKey(mode, deps.random)
  return {
    key,
    apiKey: {
      id: deps.newId(),
      tenantId,
      hash: hashApiKey(key),
      prefix: displayPrefix(key),
      name,
      scopes: scopes ? [...scopes] : null,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: now,
      createdBy: createdBy ?? null,
      publicClientId: publicClientId ?? null,
    },
  }
}
