import { defaultFieldResolver, getNamedType, isCompositeType, type GraphQLFieldResolver } from 'graphql'

/** So many objects of an answer are made between two looks at what else has to be done: a millisecond or less. */
const OBJECTS_PER_TURN = 25

/**
 * A way through which long work of many requests goes one by one, each in a turn of the event loop of its own: what came in
 * meanwhile is served in between.
 * @returns what a request waits for before it begins
 */
export function yieldQueue(): () => Promise<void> {
  let turn: Promise<void> = Promise.resolve()
  return () => {
    turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
    return turn
  }
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
 * @param nextTurn resolves once other work has had its turn
 */
export function yieldingResolver(
  nextTurn: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): GraphQLFieldResolver<unknown, unknown> {
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
