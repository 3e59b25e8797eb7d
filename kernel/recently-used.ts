import { LRUCache } from 'lru-cache'

/**
 * An empty cache of the values that were used last, so many at most. Given a number alone, lru-cache sets the room for all of them aside
 * at once, 220 kB for 10,000; where it counts sizes its room grows with what is in it.
 */
export function recentlyUsed<Key extends object | string, Value extends object | string | number | boolean>(
  max: number,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
}
