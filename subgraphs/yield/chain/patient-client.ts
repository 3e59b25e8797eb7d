import { MIN_SLOT_NOT_REACHED } from '../../../chains/solana/node-rules.js'
import type { SolanaClient } from '../../../chains/solana/client.js'
import { NodeError } from '../../../chains/solana/rpc.js'
import type { NewestSlot } from './newest-slot.js'

/** Between two tries of a call that waits for a node to see its slot: three seconds in all, some eight slots. */
const WAITS_MS = [150, 250, 400, 400, 800, 1_000]

/**
 * A client of nodes behind one address, of which one is some slots behind another: a call that names a slot which the node that it came to
 * has not seen yet is tried again for a while, as the next one may have, and as that one will. What slots the answers are of is noted.
 */
export function patientClient(
  client: SolanaClient,
  newest: Pick<NewestSlot, 'note'>,
  delay: (ms: number) => Promise<unknown>,
): SolanaClient {
  const noted = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await client.call(method, params)
    const slot = (answer as { context?: { slot?: unknown } } | null)?.context?.slot
    if (typeof slot === 'number') newest.note(slot)
    return answer
  }
  const call: SolanaClient['call'] = async (method, params) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await noted(method, params)
      } catch (error) {
        if (!(error instanceof NodeError) || error.code !== MIN_SLOT_NOT_REACHED) throw error
        await delay(waitMs)
      }
    }
    return noted(method, params)
  }
  return { ...client, call }
}
