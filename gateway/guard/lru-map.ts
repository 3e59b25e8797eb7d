/** A map of bounded size that forgets what was used longest ago. */
export interface LruMap<Value> {
  /** The value, which now counts as just used. */
  get(key: string): Value | undefined
  /** The value, without using it. */
  peek(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  readonly size: number
}

/** An empty map of at most `maxEntries`. Relies on `Map` keeping the order of insertion. */
export function lruMap<Value>(maxEntries: number): LruMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    peek: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= maxEntries) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
    delete: (key) => void entries.delete(key),
    get size() {
      return entries.size
    },
  }
}
