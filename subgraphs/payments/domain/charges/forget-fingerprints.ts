import { KEY_LIFE_MS } from '../../../../kernel/idempotency.js'
import type { Runtime } from '../../model/runtime.js'
import type { Stores } from '../../store/stores.js'

/** What forgetting fingerprints needs. */
export type ForgetFingerprintsDeps = Pick<Runtime, 'clock'> & Pick<Stores, 'charges'>

/** So long after its key has lapsed a fingerprint is kept: to the clock of another host the key may hold still. */
const CLOCKS_APART_MS = 600_000

/**
 * Forgets the fingerprints of requests whose idempotency keys have lapsed. Each is a keyed hash of a whole request, a card's number and
 * code included: who had the key of the hash could try them out.
 */
export async function forgetFingerprints({ charges, clock }: ForgetFingerprintsDeps): Promise<void> {
  await charges.forgetFingerprints(new Date(clock.now().getTime() - KEY_LIFE_MS - CLOCKS_APART_MS))
}
