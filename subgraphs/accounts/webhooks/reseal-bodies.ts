import type { KeyRing } from '../../../kernel/encryption.js'
import { resealBody, SEALED } from './sealed-body.js'
import type { DeliveryKey, LookedAt, StoredBodies, StoredBody } from './store/stored-bodies.js'

interface ResealBodiesDeps {
  keyRing: KeyRing
  storedBodies: StoredBodies
}

/** What came of it: how many were sealed, and the deliveries whose body no key of the ring opens. */
interface ResealedBodies {
  count: number
  notOpened: DeliveryKey[]
}

/**
 * Seals the bodies of deliveries that carry people's data with the current master key: those that an earlier one has sealed, and
 * those that were stored before bodies were sealed. Deliveries may be made, and forgotten, meanwhile.
 */
export async function resealBodies(deps: ResealBodiesDeps): Promise<ResealedBodies> {
  const outcomes: ResealedBodies = { count: 0, notOpened: [] }
  for (const source of SEALED) {
    let page = await deps.storedBodies.next(undefined, source)
    while (page.length > 0) {
      for (const row of page) await resealOne(deps, row, outcomes)
      page = await deps.storedBodies.next(page.at(-1), source)
    }
  }
  return outcomes
}

async function resealOne(
  { keyRing, storedBodies }: ResealBodiesDeps,
  { tenantId, id, stored }: LookedAt,
  outcomes: ResealedBodies,
): Promise<void> {
  if (!stored) return
  const sealed = resealedOrUndefined(keyRing, stored)
  if (sealed === undefined) outcomes.notOpened.push({ tenantId, id })
  else if (sealed !== stored.body && (await storedBodies.replace({ tenantId, id }, stored.body, sealed)))
    outcomes.count += 1
}

function resealedOrUndefined(keyRing: KeyRing, stored: StoredBody): string | undefined {
  try {
    return resealBody(keyRing, stored)
  } catch {
    return undefined
  }
}
