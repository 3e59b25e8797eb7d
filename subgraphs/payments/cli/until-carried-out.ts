import { setTimeout as delay } from 'node:timers/promises'

/** A worker takes an order up at once; where the chain is away it may take longer, and the command does not wait. */
const WAIT_MS = 20_000
const POLL_MS = 200

/**
 * Waits until a worker has carried an order out.
 * @param find reads the order as it is now
 * @returns the order with what came of it; code 1 where it was refused, or nobody has carried it out within 20 seconds
 */
export async function untilCarriedOut<Order extends { state: 'ordered' | 'done' | 'refused' }>(
  ordered: Order,
  find: () => Promise<Order | undefined>,
): Promise<{ answer: Order; code: number }> {
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += POLL_MS) {
    const answer = await find()
    if (answer && answer.state !== 'ordered') return { answer, code: answer.state === 'done' ? 0 : 1 }
    await delay(POLL_MS)
  }
  return { answer: ordered, code: 1 }
}
