import { visit, type DocumentNode } from 'graphql'

/** What one node of a parsed document takes, with the place in its text and its share of arrays; measured: 65 to 210 bytes. */
const NODE_BYTES = 220
/** V8 keeps a character in one byte or two. */
const CHARACTER_BYTES = 2

/**
 * What is kept of documents by their text, bounded by the memory that it takes: a text full of literals takes a hundred times
 * that of a short query, and a client can send a new one each time.
 */
export interface DocumentCache<Value> {
  /** What was kept, which now counts as just used. */
  get(text: string): Value | undefined
  /**
   * Keeps a value, and forgets those that were used longest ago where there is no room.
   * @param document what the value holds in memory; one that alone takes more than a quarter of the room is not kept
   */
  set(text: string, value: Value, document: DocumentNode): void
  /** What is kept now, in bytes, by estimate. */
  readonly bytes: number
  readonly size: number
}

/** An empty cache of at most `maxBytes`. Relies on `Map` keeping the order of insertion. */
export function documentCache<Value>(maxBytes: number): DocumentCache<Value> {
  const entries = new Map<string, { value: Value; bytes: number }>()
  let total = 0

  function forget(text: string): void {
    total -= entries.get(text)?.bytes ?? 0
    entries.delete(text)
  }

  return {
    get(text) {
      const entry = entries.get(text)
      if (!entry) return undefined
      entries.delete(text)
      entries.set(text, entry)
      return entry.value
    },
    set(text, value, document) {
      forget(text)
      const bytes = bytesOf(text, document)
      if (bytes > maxBytes / 4) return
      for (const oldest of entries.keys()) {
        if (total + bytes <= maxBytes) break
        forget(oldest)
      }
      entries.set(text, { value, bytes })
      total += bytes
    },
    get bytes() {
      return total
    },
    get size() {
      return entries.size
    },
  }
}

/** The text, and the document with the texts of its literals. */
function bytesOf(text: string, document: DocumentNode): number {
  let nodes = 0
  visit(document, {
    enter() {
      nodes += 1
    },
  })
  return 2 * CHARACTER_BYTES * text.length + NODE_BYTES * nodes
}
