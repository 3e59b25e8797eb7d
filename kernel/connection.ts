import { validationError, type FieldFailure } from './errors.js'

const PAGE_SIZE = 20
const PAGE_SIZE_MAX = 100

/** Where a page stands: whether there are nodes around it, and the cursors of its first and last. */
export interface PageInfo {
  hasNextPage: boolean
  hasPreviousPage: boolean
  startCursor: string | null
  endCursor: string | null
}

/** A page of a list in the form of the Relay cursor connections specification. */
export interface Connection<Node> {
  edges: { cursor: string; node: Node }[]
  pageInfo: PageInfo
}

/** What a client asks for: how many, by default 20, and the cursor after which the page begins. */
export interface PageRequest {
  first?: number | null | undefined
  after?: string | null | undefined
}

/**
 * Checks what a client asks for.
 * @param placeFrom the place in the list that a cursor's text names; undefined where it is none of the list's
 * @param list stands in front of the text, see `connectionOf`
 * @returns how many to show, and the place behind which they begin; undefined for the beginning
 * @throws validation_error on `first` or `after`
 */
export function readPage<Place>(
  { first, after }: PageRequest,
  placeFrom: (text: string) => Place | undefined,
  list?: string,
): { size: number; after: Place | undefined } {
  const size = first ?? PAGE_SIZE
  const text = after == null ? undefined : Buffer.from(after, 'base64url').toString()
  const prefix = prefixOf(list)
  const place = text?.startsWith(prefix) ? placeFrom(text.slice(prefix.length)) : undefined
  const failures: FieldFailure[] = []
  if (size < 1 || size > PAGE_SIZE_MAX) failures.push({ field: 'first', message: `must be from 1 to ${PAGE_SIZE_MAX}` })
  if (after != null && place === undefined) failures.push({ field: 'after', message: 'must be a cursor of this list' })
  if (failures.length > 0) throw validationError(failures)
  return { size, after: place }
}

function prefixOf(list: string | undefined): string {
  return list === undefined ? '' : `${list}:`
}

/**
 * The page that a client sees.
 * @param found the nodes in their order; any beyond `size` tell that another page follows
 * @param list names the list in its cursors, where the text of a place could be one of another list too
 * @param textOf the text of a node's place, written as base64url, so that clients take it as opaque
 */
export function connectionOf<Node>(
  found: readonly Node[],
  { size, hasPreviousPage, list }: { size: number; hasPreviousPage: boolean; list?: string },
  textOf: (node: Node) => string,
): Connection<Node> {
  const cursorOf = (node: Node): string => Buffer.from(prefixOf(list) + textOf(node)).toString('base64url')
  const edges = found.slice(0, size).map((node) => ({ cursor: cursorOf(node), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > edges.length,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
