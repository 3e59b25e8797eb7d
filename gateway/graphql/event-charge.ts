import { setTimeout as delay } from 'node:timers/promises'
import type { Admission } from '../admission.js'
import { answerCost, eventCost, type AnswerCost, type Charged, type Measured } from './answer-cost.js'

/** How often a stream looks whether the minute of its key has room again: other processes tell of theirs late. */
const LOOK_AGAIN_MS = 1_000

/** Counts the events of one stream, one after the other. */
export interface EventCharge {
  /**
   * Counts the next event against the key's rate, once there is room for it. The request that opened the stream has paid for the
   * first.
   * @returns false where the stream has ended meanwhile
   */
  next: (signal: AbortSignal) => Promise<boolean>
  /** What the event has cost that was counted last. */
  costOf: (data: unknown) => AnswerCost
}

/**
 * @param counted what the request that opened the stream has counted, with its operation
 * @param pause waits until it is worth to look again, or the stream ends
 */
export function eventCharge(
  admission: Pick<Admission, 'chargeEvent'>,
  { keyHash, counted }: { keyHash: string; counted: number },
  measured: Measured,
  pause: (signal: AbortSignal) => Promise<void> = lookAgain,
): EventCharge {
  const { weight } = measured
  let isFirst: boolean | undefined
  let { rate }: Charged = {}
  return {
    next: async (signal) => {
      isFirst = isFirst === undefined
      for (;;) {
        rate = await admission.chargeEvent(keyHash, isFirst ? 1 : weight)
        if (rate.allowed) return true
        await pause(signal)
        if (signal.aborted) return false
      }
    },
    costOf: (data) =>
      isFirst === false
        ? eventCost(rate, measured, data)
        : answerCost({ rate, counted: counted - weight + 1 }, measured, data),
  }
}

async function lookAgain(signal: AbortSignal): Promise<void> {
  await delay(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
}
