import type { PeopleDeps } from '../deps.js'
import type { ChallengeOwner } from './store/challenges.js'

/** How long an authenticator may take to sign a challenge. */
export const CHALLENGE_LIFE_MS = 5 * 60_000
const CHALLENGE_BYTES = 32

/** Makes a challenge, which takes the place of an earlier one of the same purpose. @returns its bytes */
export async function newChallenge(
  deps: Pick<PeopleDeps, 'clock' | 'passkeyChallenges' | 'random'>,
  owner: ChallengeOwner,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = deps.random(CHALLENGE_BYTES)
  const expiresAt = new Date(deps.clock.now().getTime() + CHALLENGE_LIFE_MS)
  await deps.passkeyChallenges.keep(owner, challenge.toString('base64url'), expiresAt)
  return new Uint8Array(challenge)
}
