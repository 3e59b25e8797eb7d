import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import { isId } from '../../../kernel/ids.js'

const PAGE_MAX = 100

/** A page in the form of the Relay cursor connections specification. */
export interface Connection<Node> {
  edges: { cursor: string; node: Node }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null }
}

/**
 * A page, newest first. A cursor is a place in the time order of ids, so it stays good while rows are added, and no page
 * costs more than the first.
 * @param list reads at most `limit` rows, those before `afterId`
 * @throws validation_error on `first` or `after`
 */
export async function connect<Node extends { id: string }>(
  { first, after }: { first: number; after?: string | null },
  list: (page: { limit: number; afterId: string | undefined }) => Promise<Node[]>,
): Promise<Connection<Node>> {
  const failures: FieldFailure[] = []
  const afterId = after == null ? undefined : Buffer.from(after, 'base64url').toString()
  if (first < 1 || first > PAGE_MAX) failures.push({ field: 'first', message: `must be from 1 to ${PAGE_MAX}` })
  if (afterId !== undefined && !isId(afterId))
    failures.push({ field: 'after', message: 'must be a cursor of this list' })
  if (failures.length > 0) throw validationError(failures)
  // One more than asked for tells whether another page follows.
  const found = await list({ limit: first + 1, afterId })
  const edges = found.slice(0, first).map((node) => ({ cursor: Buffer.from(node.id).toString('base64url'), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > edges.length,
      hasPreviousPage: afterId !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
