import type { KeyRing } from '../../../kernel/encryption.js'
import { resealAnswer, type AttemptKey } from './sealed-answer.js'
import type { StoredAnswer, StoredAnswers } from './store/stored-answers.js'

interface ResealAnswersDeps {
  keyRing: KeyRing
  storedAnswers: StoredAnswers
}

/** What came of it: how many were sealed, and the attempts whose answer no key of the ring opens. */
interface ResealedAnswers {
  count: number
  notOpened: AttemptKey[]
}

/**
 * Seals what receivers answered with the current master key: what an earlier one has sealed, and what was stored before answers were
 * sealed. Attempts may be made, and forgotten, meanwhile.
 */
export async function resealAnswers({ keyRing, storedAnswers }: ResealAnswersDeps): Promise<ResealedAnswers> {
  const outcomes: ResealedAnswers = { count: 0, notOpened: [] }
  let page = await storedAnswers.next(undefined)
  while (page.length > 0) {
    for (const answer of page) {
      const sealed = resealedOrUndefined(keyRing, answer)
      const { tenantId, deliveryId, number } = answer
      if (sealed === undefined) outcomes.notOpened.push({ tenantId, deliveryId, number })
      else if (sealed !== answer.sealedResponse && (await storedAnswers.replace(answer, sealed))) outcomes.count += 1
    }
    page = await storedAnswers.next(page.at(-1))
  }
  return outcomes
}

function resealedOrUndefined(keyRing: KeyRing, answer: StoredAnswer): string | undefined {
  try {
    return resealAnswer(keyRing, answer) ?? undefined
  } catch {
    return undefined
  }
}
