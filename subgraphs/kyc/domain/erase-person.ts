import { AppError } from '../../../kernel/errors.js'
import type { KycDeps } from '../deps.js'
import { TRIES_MAX } from '../../../kernel/retry-for-good.js'
import { FORGET_SESSION } from '../forget-job.js'
import { identitiesOf, type NamedIdentity } from './identity.js'

/** The job by which the deliveries to tenants forget what they told; worked off where the deliveries are. */
const FORGET_DELIVERIES = 'forget-deliveries'
/** Long after an event that was being rendered is stored. */
const FORGET_AGAIN_AFTER_MS = 60_000

/** A session at a provider; the payload of that job. */
export interface ForgottenSession {
  verifier: string
  providerSessionId: string
}

export type EraseDeps = Pick<
  KycDeps,
  'addJob' | 'clock' | 'linkedEmails' | 'logAccess' | 'people' | 'sessions' | 'transaction'
>

/**
 * Removes everything that is known of a person here, and by jobs what the tenant's webhooks told of them and what the
 * providers that verified them have. What stays: that
 * there were sessions (the quota), who had access to the person's opaque id, and the tenant's payments, whose records the
 * law wants kept and which are not ours. An address goes from the wallet's person that has it linked, too, who stays.
 * @returns the opaque id that the access log names: of the wallet's person where the address was only linked
 * @throws missing_params, kyc_not_found
 */
export async function erasePerson(
  deps: EraseDeps,
  tenant: { id: string },
  named: NamedIdentity,
): Promise<{ personId: string; sessions: number }> {
  const [identity] = identitiesOf(named)
  const erased = await deps.transaction(async (em) => {
    if (!identity) throw new AppError('kyc_not_found')
    await deps.people.lockIdentities(em, tenant.id, [identity])
    const person = await deps.people.lock(em, tenant.id, identity)
    const holderId = identity.kind === 'email' ? await deps.linkedEmails.unlink(em, tenant.id, identity) : undefined
    if (!person && holderId !== undefined) return { personId: holderId, sessions: 0 }
    if (!person) throw new AppError('kyc_not_found')
    const sessions = await deps.sessions.strip(em, tenant.id, person.id)
    for (const { verifier, providerSessionId, key } of sessions) {
      if (providerSessionId === null) continue
      const payload: ForgottenSession = { verifier, providerSessionId }
      await deps.addJob(em, { name: FORGET_SESSION, payload, key })
    }
    const payload = { tenantId: tenant.id, source: 'kyc', resourceId: person.id }
    // Once more later: an event that was being rendered when the person was erased may be stored after the first.
    const again = new Date(deps.clock.now().getTime() + FORGET_AGAIN_AFTER_MS)
    // Nothing is left here by which a lost one could be added again: they are tried for as long as it takes.
    for (const runAt of [undefined, again])
      await deps.addJob(em, { name: FORGET_DELIVERIES, payload, maxAttempts: TRIES_MAX, ...(runAt && { runAt }) })
    await deps.people.remove(em, person)
    return { personId: person.id, sessions: sessions.length }
  })
  await deps.logAccess(tenant.id, erased.personId, 'erase-person')
  return erased
}

/** Has the provider forget a session of an erased person. Throws provider_unavailable or provider_timeout. */
export async function forgetSession(
  deps: Pick<KycDeps, 'sessions' | 'verifierOf'>,
  { verifier, providerSessionId }: ForgottenSession,
): Promise<void> {
  const known = deps.verifierOf(verifier)
  // Repeated until the deployment has the provider's credentials again: an erasure must not get lost.
  if (!known) throw new AppError('provider_unavailable', { message: `The verifier ${verifier} is not configured.` })
  await known.deleteSession(providerSessionId)
  await deps.sessions.forgotten(verifier, providerSessionId)
}
