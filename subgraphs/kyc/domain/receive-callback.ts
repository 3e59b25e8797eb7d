import type { KycDeps } from '../deps.js'
import { CallbackRefused, type VerifierNotice } from '../verifiers/verifier.js'

/** What a provider is answered. */
export type CallbackVerdict = 'accepted' | 'refused' | 'malformed' | 'unknown_verifier'

/** A callback as it came over the wire; header names are lower case. */
export interface Callback {
  verifier: string
  rawBody: Buffer
  headers: Readonly<Record<string, string>>
}

type ReceiveCallbackDeps = Pick<KycDeps, 'log' | 'providerEvents' | 'verifierOf'>

/**
 * Takes a provider's callback: checks its signature and age over the raw bytes, stores it as it is, and leaves the rest to
 * a job, so that the provider has its answer at once. A repeat is accepted and absorbed.
 */
export async function receiveCallback(deps: ReceiveCallbackDeps, callback: Callback): Promise<CallbackVerdict> {
  const verifier = deps.verifierOf(callback.verifier)
  if (!verifier) return 'unknown_verifier'
  let notice: VerifierNotice
  try {
    notice = verifier.readCallback(callback.rawBody, callback.headers)
  } catch (error) {
    if (!(error instanceof CallbackRefused)) throw error
    const { reason } = error
    deps.log.warn({ verifier: verifier.name, reason }, 'a callback was refused')
    return reason === 'malformed' ? 'malformed' : 'refused'
  }
  await deps.providerEvents.store({ verifier: verifier.name, ...notice }, callback.rawBody)
  return 'accepted'
}
