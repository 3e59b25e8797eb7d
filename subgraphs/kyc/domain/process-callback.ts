import type { KycDeps } from '../deps.js'
import type { StoredCallback } from '../store/provider-events.js'
import { applyDecision, type ApplyDecisionDeps } from './apply-decision.js'

export type ProcessCallbackDeps = ApplyDecisionDeps & Pick<KycDeps, 'providerEvents' | 'verifierOf'>

/**
 * Works off a stored callback: asks the provider what it is about, whatever the callback said. Callbacks about sessions
 * that are not ours, or whose person was erased, are done with nothing.
 * @throws AppError provider_unavailable or provider_timeout; the job is then repeated
 */
export async function processCallback(deps: ProcessCallbackDeps, callback: StoredCallback): Promise<void> {
  const session = await deps.sessions.findByProvider(callback.verifier, callback.sessionId)
  const askedAt = await deps.sessions.now()
  const decision = session && (await deps.verifierOf(callback.verifier)?.getDecision(callback.sessionId))
  if (session && decision) await applyDecision(deps, session, { decision, askedAt, cause: 'provider_callback' })
  await deps.providerEvents.finish(callback)
}
