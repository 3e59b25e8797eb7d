import { setTimeout as delay } from 'node:timers/promises'
import type { Admission } from '../admission.js'
import type { StreamEvent } from '../live/event-streams.js'
import { answerCost, eventCost, refusalCost, type AnswerCost, type Charged, type Measured } from './answer-cost.js'

/** How often a stream looks whether the minute of its key has room again: other processes tell of theirs late. */
const LOOK_AGAIN_MS = 1_000
/** After so many looks without room the client is told that an event waits, and after as many again. */
const LOOKS_UNTIL_TOLD = 60
/** What it is told. */
const LATE = 'An event waits: the rate limit of the key has no room for it. It comes once there is room.'

/** Counts the events of one stream, one after the other. */
export interface EventCharge {
  /**
   * Counts the next event against the key's rate, once there is room for it. The request that opened the stream has paid for the
   * first. Gives what the client is told while that takes long.
   * @returns false where the stream has ended meanwhile
   */
  next: (signal: AbortSignal) => AsyncGenerator<StreamEvent, boolean>
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
    next: async function* (signal) {
      isFirst = isFirst === undefined
      for (let looks = 1; ; looks += 1) {
        rate = await admission.chargeEvent(keyHash, isFirst ? 1 : weight)
        if (rate.allowed) return true
        if (looks % LOOKS_UNTIL_TOLD === 0) yield late(refusalCost({ rate, counted: 0 }, weight - 1))
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

/** Without an id: a client that comes again goes on behind what it was told before. */
function late(cost: AnswerCost): StreamEvent {
  const errors = [{ message: LATE, extensions: { code: 'RATE_LIMITED' } }]
  return { event: 'next', data: JSON.stringify({ errors, extensions: { cost } }) }
}

async function lookAgain(signal: AbortSignal): Promise<void> {
  await delay(LOOK_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
}
