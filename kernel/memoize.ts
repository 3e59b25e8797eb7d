import { LRUCache } from 'lru-cache'

/**
 * A function that works a value out of a text once, and keeps the `limit` values that were used last: for what follows from
 * the text alone and takes long to work out. What it throws is not kept.
 */
export function memoize<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  // In an object, as a cache cannot keep `undefined`.
  const made = new LRUCache<string, { value: Value }>({
    // As in `recentlyUsed`.
    maxSize: limit,
    sizeCalculation: () => 1,
    memoMethod: (text) => ({ value: make(text) }),
  })
  return (text) => made.memo(text).value
}
