import { setTimeout as delay } from 'node:timers/promises'
import { defaultFieldResolver, getNamedType, isCompositeType, type GraphQLFieldResolver } from 'graphql'

/** So many objects of an answer are made before the event loop may read its sockets: a millisecond or less. */
const OBJECTS_PER_YIELD = 25

/** Others wait for no more than this on account of one long piece of work. */
const PAUSE_MAX_MS = 250

/**
 * A queue for long work of many requests. After each piece the process has as much time for all else as the piece took: a
 * short request makes several steps, and would wait for one piece of work at each of them.
 * @param clock for how long work took, in milliseconds, and for the pause after it
 * @returns what a request waits for before it begins; what it does then at one go is the piece of work
 */
export function yieldQueue(clock: YieldClock = systemYieldClock): () => Promise<void> {
  let free: Promise<void> = Promise.resolve()
  return () => {
    const begun = free.then(nextTick)
    free = begun.then(async () => {
      const startMs = clock.now()
      await nextTick()
      await clock.pause(Math.min(clock.now() - startMs, PAUSE_MAX_MS))
    })
    return begun
  }
}

/** What the queue measures by. */
interface YieldClock {
  now: () => number
  pause: (ms: number) => Promise<void>
}

const systemYieldClock: YieldClock = {
  now: () => performance.now(),
  pause: (ms) => delay(ms),
}

/** The event loop's next round: sockets have been read. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** What one execution has under way. */
const underWay = new WeakMap<object, Promise<unknown>>()

/**
 * Runs the root fields of one large answer one after the other: side by side they would take all connections to the
 * database, and every other request would wait for one.
 * @param execution what stands for the execution: the same object for all of its fields
 */
export function serially<T>(execution: object, work: () => T | Promise<T>): Promise<T> {
  const before = underWay.get(execution)
  const result = before ? before.then(work) : Promise.resolve(work())
  // A field that fails does not keep the next ones from running.
  underWay.set(
    execution,
    result.catch(() => undefined),
  )
  return result
}

/**
 * A resolver for the fields of one large answer that have none of their own: after so many objects the next ones wait until
 * the process has looked at its sockets. Without it the whole answer is made at one go, and every other request waits.
 * @param yieldOnce resolves once the event loop has served other work
 */
export function yieldingResolver(yieldOnce: () => Promise<void> = nextTick): GraphQLFieldResolver<unknown, unknown> {
  let left = OBJECTS_PER_YIELD
  let yielded: Promise<void> | undefined
  return (source, args, context, info) => {
    const value: unknown = defaultFieldResolver(source, args, context, info)
    if (typeof value !== 'object' || value === null || !isCompositeType(getNamedType(info.returnType))) return value
    if (left === 0) {
      yielded = yielded ? yielded.then(yieldOnce) : yieldOnce()
      left = OBJECTS_PER_YIELD
    }
    left -= 1
    return yielded ? yielded.then(() => value) : value
  }
}
