import { Kind, visit, type DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

/** What one node of a parsed document takes, with the place in its text and its share of arrays; measured: 65 to 210 bytes. */
const NODE_BYTES = 220
/** What its plan takes for a field that is selected (see `compiled/`); measured: 550 bytes. */
const PLAN_BYTES = 550
/** V8 keeps a character in one byte or two. */
const CHARACTER_BYTES = 2

/**
 * An empty cache of what is known of documents, by their texts. It is bounded by the memory that they take: a text full of
 * literals takes a hundred times that of a short query, and a client can send a new one each time. Each entry is set with
 * `{ size: documentBytes(text, document) }`; one that alone takes more than a quarter of the room is not kept.
 */
export function documentLru<Value extends object>(maxBytes: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / 4 })
}

/** What a document takes in memory, in bytes, by estimate: its text, and the document with the texts of its literals and its plan. */
export function documentBytes(text: string, document: DocumentNode): number {
  let bytes = 2 * CHARACTER_BYTES * text.length
  visit(document, {
    enter({ kind }) {
      bytes += kind === Kind.FIELD ? NODE_BYTES + PLAN_BYTES : NODE_BYTES
    },
  })
  return bytes
}
