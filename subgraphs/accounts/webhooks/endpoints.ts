import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'
import type { AccountsDeps } from '../deps.js'
import type { ActingTenant } from '../domain/acting-tenant.js'
import { newWebhookSecret } from '../domain/new-integration.js'
import { overlapEnd, rotatedElsewhere, type RotatedSecret } from '../domain/rotate-webhook-secret.js'
import { rotatedSeals } from '../domain/webhook-secrets.js'
import { endpointSealContext, endpointSeals, endpointSecrets } from './endpoint-secrets.js'
import { orderEnd } from './end-deliveries.js'
import { EVENT_TYPES } from './event-types.js'
import { ENDPOINTS_MAX, type RegisteredEndpoint } from './store/registered-endpoint.entity.js'
import type { EndpointChange } from './store/registered-endpoints.js'

const DESCRIPTION_MAX_LENGTH = 200

export type EndpointDeps = Pick<
  AccountsDeps,
  'checkWebhookUrl' | 'clock' | 'keyRing' | 'newId' | 'random' | 'registeredEndpoints' | 'transaction'
>

/** A new endpoint. */
export interface NewEndpoint {
  url: string
  /** The types that it gets; left out or null: all. */
  events?: readonly string[] | null
  description?: string | null
}

/** What is to change: what is left out stays; `events` null is all, `description` null none. The others cannot be null. */
export interface EndpointPatch extends Partial<Omit<NewEndpoint, 'url'>> {
  url?: string | null
  isEnabled?: boolean | null
}

/**
 * Registers an endpoint, which gets the events that are taken up from now on.
 * @returns it with its secret, which can never be read again
 * @throws validation_error on `url`, `events`, `description`; invalid_parameters where the tenant has ten
 */
export async function createEndpoint(
  deps: EndpointDeps,
  tenant: ActingTenant,
  input: NewEndpoint,
): Promise<{ endpoint: RegisteredEndpoint; secret: string }> {
  const { url, ...checked } = await checkedChange(deps, tenant.id, input)
  if (url === undefined) throw validationError([{ field: 'url', message: 'is required' }])
  const owner = { tenantId: tenant.id, id: deps.newId() }
  const { secret, sealed } = newWebhookSecret(deps, endpointSealContext(owner))
  const endpoint: RegisteredEndpoint = {
    ...owner,
    ...{ url, eventTypes: null, description: null, ...checked },
    ...{ secret: sealed, previousSecret: null, previousUntil: null, oldestSecret: null, oldestUntil: null },
    secretsBetween: [],
    ...{ isEnabled: true, endedUntil: null, failingSince: null, markedFailingAt: null, createdAt: deps.clock.now() },
  }
  const isAdded = await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    return deps.registeredEndpoints.add(em, endpoint)
  })
  if (isAdded) return { endpoint, secret }
  throw new AppError('invalid_parameters', { message: `You have ${ENDPOINTS_MAX} endpoints. Delete one first.` })
}

/**
 * Changes an endpoint. Where it is switched off its open deliveries end, and what happens until it is on again is not
 * delivered later.
 * @throws not_found, validation_error on a field
 */
export async function updateEndpoint(
  deps: EndpointDeps,
  tenant: ActingTenant,
  id: string,
  patch: EndpointPatch,
): Promise<RegisteredEndpoint> {
  await findEndpoint(deps, tenant, id)
  const checked = await checkedChange(deps, tenant.id, patch)
  const { isEnabled } = patch
  const change: EndpointChange = {
    ...checked,
    ...(typeof isEnabled === 'boolean' && { isEnabled }),
    ...(isEnabled === false && { endedUntil: deps.clock.now() }),
    // How another address does, or one that is on again, is not known yet.
    ...((checked.url !== undefined || isEnabled === true) && { failingSince: null, markedFailingAt: null }),
  }
  const changed = await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    if (isEnabled === false) await orderEnd(deps, em, { tenantId: tenant.id, endpointId: id }, 'endpoint_disabled')
    return deps.registeredEndpoints.change(em, { tenantId: tenant.id, id }, change)
  })
  return changed ?? notFound()
}

/** Removes an endpoint. Its open deliveries end and say why. @returns it as it was. @throws not_found */
export async function deleteEndpoint(
  deps: Pick<EndpointDeps, 'clock' | 'registeredEndpoints' | 'transaction'>,
  tenant: ActingTenant,
  id: string,
): Promise<RegisteredEndpoint> {
  const removed = await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    const endpoint = await deps.registeredEndpoints.remove(em, tenant.id, id)
    if (endpoint) await orderEnd(deps, em, { tenantId: tenant.id, endpointId: id }, 'endpoint_deleted')
    return endpoint
  })
  return removed ?? notFound()
}

/**
 * Gives an endpoint another secret; the one before signs too until the overlap ends.
 * @throws not_found, validation_error on `overlapHours`, invalid_parameters where another request rotates it right now
 */
export async function rotateEndpointSecret(
  deps: EndpointDeps,
  tenant: ActingTenant,
  { id, overlapHours }: { id: string; overlapHours: number | null },
): Promise<RotatedSecret> {
  const previousUntil = overlapEnd(deps, overlapHours)
  const endpoint = await findEndpoint(deps, tenant, id)
  const { secret, sealed } = newWebhookSecret(deps, endpointSealContext(endpoint))
  const rotated = rotatedSeals(endpointSeals(endpoint), sealed, deps.clock.now(), previousUntil)
  const isReplaced = await deps.transaction(async (em) => {
    await tenant.reauthorize?.(em)
    return deps.registeredEndpoints.replaceSecret(em, endpoint, endpointSecrets(rotated))
  })
  if (isReplaced) return { secret, previousUntil }
  throw rotatedElsewhere()
}

/** An endpoint of the tenant. Throws `not_found`, also for one of another tenant. */
async function findEndpoint(
  deps: Pick<EndpointDeps, 'registeredEndpoints'>,
  tenant: ActingTenant,
  id: string,
): Promise<RegisteredEndpoint> {
  return (isId(id) ? await deps.registeredEndpoints.find(tenant.id, id) : undefined) ?? notFound()
}

function notFound(): never {
  throw new AppError('not_found', { message: 'No such webhook endpoint.' })
}

/** What is said of an endpoint, checked: all failures at once. */
async function checkedChange(
  deps: Pick<EndpointDeps, 'checkWebhookUrl'>,
  tenantId: string,
  { url, events, description, isEnabled }: EndpointPatch,
): Promise<Pick<EndpointChange, 'url' | 'eventTypes' | 'description'>> {
  const failures: FieldFailure[] = []
  const refuse = (field: string, message: string): void => void failures.push({ field, message })
  const problem = url == null ? undefined : await deps.checkWebhookUrl(url, tenantId)
  if (url === null) refuse('url', 'cannot be null: an endpoint needs it')
  if (problem !== undefined) refuse('url', problem)
  if (isEnabled === null) refuse('isEnabled', 'cannot be null: an endpoint is on or off')
  if (events?.length === 0) refuse('events', 'must name an event; leave it out for all')
  for (const [index, type] of (events ?? []).entries()) {
    if (!EVENT_TYPES.includes(type)) refuse(`events.${index}`, `must be one of ${EVENT_TYPES.join(', ')}`)
  }
  const text = description?.trim()
  if ((text ?? '').length > DESCRIPTION_MAX_LENGTH) {
    refuse('description', `must have at most ${DESCRIPTION_MAX_LENGTH} characters`)
  }
  if (failures.length > 0) throw validationError(failures)
  return {
    ...(url != null && { url }),
    ...(events !== undefined && { eventTypes: events && [...new Set(events)] }),
    ...(description !== undefined && { description: text === undefined || text === '' ? null : text }),
  }
}
