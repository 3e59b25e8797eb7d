/**
 * What may be there already, as graphql-js has it. A hot path that has its answer at once makes no promise of it: the ten steps of a request
 * that were promises took an eighth of its time.
 */
export type PromiseOrValue<Value> = Value | Promise<Value>

/** Whether a value is waited for, by the rule of graphql-js: whatever has a `then`. */
export function isPromise<Value>(value: PromiseOrValue<Value>): value is Promise<Value> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/**
 * Goes on with a value as soon as it is there: at once where it is.
 * @throws what `next` throws, where the value is there
 */
export function whenThere<Value, Result>(
  value: PromiseOrValue<Value>,
  next: (value: Value) => PromiseOrValue<Result>,
): PromiseOrValue<Result> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Does a piece of work, and hands what it throws or rejects with to `failed`. */
export function recovering<Result>(
  work: () => PromiseOrValue<Result>,
  failed: (error: unknown) => PromiseOrValue<Result>,
): PromiseOrValue<Result> {
  try {
    const result = work()
    return isPromise(result) ? result.catch(failed) : result
  } catch (error) {
    return failed(error)
  }
}
