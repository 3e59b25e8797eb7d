import { AppError, validationError } from '../../../kernel/errors.js'
import { hasRight, SCOPES, type Scope } from '../../../kernel/permissions.js'
import type { Caller } from '../../../kernel/tenant.js'
import type { ActingTenant } from '../domain/acting-tenant.js'
import { integrationOfKey } from '../domain/find-integration.js'
import { makeApiKey, type CreatedApiKey } from '../domain/new-api-key.js'
import type { PeopleDeps } from './deps.js'

/** What a person chooses of a key. */
export interface PersonKeyInput {
  name: string
  /** Scopes, or `orders:*` for all of orders; null or left out for a key that may do all, as the contract's do. */
  scopes?: readonly string[] | null
  /** ISO 8601; null or left out for never. */
  expiresAt?: string | null
  /** The integration that uses it; null or left out for the tenant's default one. */
  publicClientId?: string | null
}

const NAME_MAX_LENGTH = 100
/** Keys of a tenant that work: more than anyone can look after. */
const KEYS_MAX = 100

/**
 * Gives a tenant another key, of the deployment's mode.
 * @param makerId the person who makes it
 * @returns the key, which can never be read again, and what is kept of it
 * @throws validation_error, invalid_parameters where it would be expired already or the tenant has too many; as `Reauthorize`
 */
export async function createPersonKey(
  deps: Pick<PeopleDeps, 'accounts' | 'clock' | 'newId' | 'random' | 'settings' | 'transaction'>,
  tenant: Required<ActingTenant>,
  input: PersonKeyInput,
  makerId: string,
): Promise<CreatedApiKey> {
  const name = input.name.trim()
  if (name === '' || name.length > NAME_MAX_LENGTH) {
    throw validationError([{ field: 'name', message: `must have 1 to ${NAME_MAX_LENGTH} characters` }])
  }
  const scopes = input.scopes == null ? null : scopesOf(input.scopes)
  const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt)
  const { keyMode: mode } = deps.settings
  const publicClientId = await integrationOfKey(deps, tenant, input.publicClientId ?? null, () =>
    validationError([{ field: 'publicClientId', message: 'must be one of your integrations' }]),
  )
  const created = makeApiKey(deps, tenant.id, { name, mode, scopes, expiresAt, createdBy: makerId, publicClientId })
  await deps.transaction(async (em) => {
    assertMayGive(await tenant.reauthorize(em), scopes ?? SCOPES)
    if (!(await deps.accounts.addKeyWithin(em, created.apiKey, KEYS_MAX))) {
      throw new AppError('invalid_parameters', { message: `${KEYS_MAX} keys work already. Revoke one first.` })
    }
  })
  return created
}

/** A key that could do more than its maker would be a way around the role. @throws validation_error on `scopes` */
function assertMayGive(maker: Caller, scopes: readonly Scope[]): void {
  const excess = scopes.filter((scope) => !hasRight(maker, scope))
  if (excess.length === 0) return
  throw validationError([
    { field: 'scopes', message: `must be named without ${excess.join(', ')}: your role lacks it` },
  ])
}

/** The scopes that are meant, each once. @throws validation_error that names the first that is none */
function scopesOf(given: readonly string[]): Scope[] {
  if (given.length === 0) {
    throw validationError([{ field: 'scopes', message: 'must not be empty; leave it out for a key that may do all' }])
  }
  const meant = given.map((text) => SCOPES.filter((scope) => scope === text || text === `${scope.split(':')[0]}:*`))
  const wrong = meant.findIndex((scopes) => scopes.length === 0)
  if (wrong >= 0) {
    throw validationError([
      { field: `scopes.${wrong}`, message: `must be one of ${SCOPES.join(', ')}, or such as orders:*` },
    ])
  }
  return [...new Set(meant.flat())]
}
