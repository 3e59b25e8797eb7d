import { AppError } from '../../../kernel/errors.js'
import { ProviderError, type ProviderErrorKind } from '../../../kernel/provider-error.js'
import type { KycDeps } from '../deps.js'
import type { Person } from '../store/person.entity.js'
import type { KycSession } from '../store/session.entity.js'
import { applyDecision, type ApplyDecisionDeps } from './apply-decision.js'
import type { KycStatus } from './kyc-status.js'

/**
 * After what time a session is asked for again, in milliseconds. Providers repeat a callback that failed twice at most
 * (Didit: after 1 and 4 minutes), so a lost one is made up for here. Clients that wait for a decision ask often; an approval
 * that the provider takes back, or a refusal that its staff overturns, is rare.
 */
const STALE_AFTER_MS: Readonly<Record<KycStatus, number>> = {
  pending: 15_000,
  in_review: 15_000,
  approved: 86_400_000,
  declined: 3_600_000,
  abandoned: 3_600_000,
  expired: 86_400_000,
}

const UNANSWERED: ReadonlySet<ProviderErrorKind> = new Set(['rate_limited', 'timeout', 'unavailable'])

export type RefreshSessionDeps = ApplyDecisionDeps & Pick<KycDeps, 'log' | 'refreshes' | 'sessionById' | 'verifierOf'>

/**
 * A person as the provider knows them, asked only where what is stored is stale, and once for all who ask at the same time. A provider that
 * does not answer changes nothing, and is left alone for some seconds.
 */
export async function refreshPerson(deps: RefreshSessionDeps, person: Person): Promise<Person> {
  const session = person.sessionId === null ? undefined : await deps.sessionById(person.tenantId, person.sessionId)
  if (!session || !isStale(session, deps.clock.now())) return person
  const { id, verifier, providerSessionId } = session
  if (providerSessionId === null || !deps.refreshes.mayAsk(verifier)) return person
  return deps.refreshes.share(id, () => refresh(deps, person, { ...session, providerSessionId }))
}

async function refresh(
  deps: RefreshSessionDeps,
  person: Person,
  session: KycSession & { providerSessionId: string },
): Promise<Person> {
  const askedAt = await deps.sessions.now()
  const { verifier } = session
  try {
    const decision = await deps.verifierOf(verifier)?.getDecision(session.providerSessionId)
    deps.refreshes.note(verifier, true)
    if (!decision) return person
    return (await applyDecision(deps, session, { decision, askedAt, cause: 'provider_asked' })) ?? person
  } catch (error) {
    if (isUnanswered(error)) deps.refreshes.note(verifier, false)
    deps.log.warn({ err: error, sessionId: session.id }, 'a verification session could not be refreshed')
    return person
  }
}

/** Whether the provider does not answer at present, whatever it is asked; it may have no good answer to a single question. */
function isUnanswered(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : undefined
  return cause instanceof ProviderError && UNANSWERED.has(cause.kind)
}

function isStale({ status, checkedAt }: KycSession, now: Date): boolean {
  return now.getTime() - checkedAt.getTime() > STALE_AFTER_MS[status]
}
