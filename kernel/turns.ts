import { setTimeout as delay } from 'node:timers/promises'
import { defaultFieldResolver, getNamedType, isCompositeType, type GraphQLFieldResolver } from 'graphql'

/** So many objects of an answer are made between two looks at what else has to be done: a millisecond or less. */
const OBJECTS_PER_TURN = 25

/** Others wait for no more than this on account of one long piece of work. */
const PAUSE_MAX_MS = 250

/**
 * A way through which long work of many requests goes one by one. After each piece the process has as much time for all
 * else as the piece took: a short request makes several steps, and would stand behind one piece of work at each of them.
 * @param clock for how long work took, in milliseconds, and for the pause after it
 * @returns what a request waits for before it begins; what it does then at one go is the piece of work
 */
export function turnstile(clock: TurnClock = systemTurnClock): () => Promise<void> {
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

/** What a turnstile measures by. */
interface TurnClock {
  now: () => number
  pause: (ms: number) => Promise<void>
}

const systemTurnClock: TurnClock = {
  now: () => performance.now(),
  pause: (ms) => delay(ms),
}

/** The event loop's next turn: sockets have been looked at. */
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
export function oneAfterTheOther<T>(execution: object, work: () => T | Promise<T>): Promise<T> {
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
 * @param nextTurn resolves once other work has had its turn
 */
export function takingTurns(nextTurn: () => Promise<void> = nextTick): GraphQLFieldResolver<unknown, unknown> {
  let seats = OBJECTS_PER_TURN
  let turn: Promise<void> | undefined
  return (source, args, context, info) => {
    const value: unknown = defaultFieldResolver(source, args, context, info)
    if (typeof value !== 'object' || value === null || !isCompositeType(getNamedType(info.returnType))) return value
    if (seats === 0) {
      turn = turn ? turn.then(nextTurn) : nextTurn()
      seats = OBJECTS_PER_TURN
    }
    seats -= 1
    return turn ? turn.then(() => value) : value
  }
}
