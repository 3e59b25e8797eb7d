import { defaultFieldResolver, getNamedType, isCompositeType, type GraphQLFieldResolver } from 'graphql'

/** So many objects of an answer are made before the event loop may read its sockets: a millisecond or less. */
const OBJECTS_PER_YIELD = 25

/**
 * A queue for long work of many requests: one starts in each round of the event loop, so that requests that came meanwhile are
 * served in between.
 * @returns what a request waits for before it begins
 */
export function yieldQueue(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return last
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
 * @param yieldOnce resolves once the event loop has served other work
 */
export function yieldingResolver(
  yieldOnce: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): GraphQLFieldResolver<unknown, unknown> {
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
