import { decrypt, encrypt, isSealedWithCurrent, type KeyRing } from '../../../kernel/encryption.js'
import type { StoredAnswer } from './store/stored-answers.js'

/** Which attempt an answer was given to. */
export type AttemptKey = Pick<StoredAnswer, 'tenantId' | 'deliveryId' | 'number'>

/** What is kept of a receiver's answer, as it is stored: it may repeat what it was sent, or tell of the receiver itself. */
export function sealAnswer(ring: KeyRing, attempt: AttemptKey, text: string): string {
  return encrypt(ring, text, sealContext(attempt))
}

/** The text of an answer, as it is shown; null where there was none. @throws Error where no key of the ring opens it */
export function openAnswer(ring: KeyRing, { sealedResponse, responseBody, ...attempt }: StoredAnswer): string | null {
  return sealedResponse == null ? (responseBody ?? null) : decrypt(ring, sealedResponse, sealContext(attempt))
}

/** The same, sealed with the current key, also where it was stored before answers were sealed. @throws as `openAnswer` */
export function resealAnswer(ring: KeyRing, answer: StoredAnswer): string | null {
  const { sealedResponse } = answer
  if (sealedResponse != null && isSealedWithCurrent(ring, sealedResponse)) return sealedResponse
  const text = openAnswer(ring, answer)
  return text === null ? null : sealAnswer(ring, answer, text)
}

function sealContext({ tenantId, deliveryId, number }: AttemptKey): string {
  return ['webhook-answer', tenantId, deliveryId, number].join(':')
}
