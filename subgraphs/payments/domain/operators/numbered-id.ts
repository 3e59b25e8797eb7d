import type { Connection } from '../../../../kernel/connection.js'

/** What the database counts, each from 1: the number alone would be the id of an alert and of a difference. */
type Counted = 'alert' | 'difference'

/** The place in a list that is in the order of its numbers; undefined where the text is no number. */
export function numberFrom(text: string): string | undefined {
  return /^\d{1,18}$/.test(text) ? text : undefined
}

/** The number in an id such as `alert-12`, or in the number alone, as the command line shows it; undefined in any other text. */
export function numberIn(kind: Counted, id: string): string | undefined {
  return numberFrom(id.startsWith(`${kind}-`) ? id.slice(kind.length + 1) : id)
}

/** The same thing by its id, which no thing of another kind has. */
export function identified<Thing extends { id: string }>(kind: Counted, thing: Thing): Thing {
  return { ...thing, id: `${kind}-${thing.id}` }
}

/** As `identified`, for a page; its cursors stay as they are. */
export function identifiedPage<Thing extends { id: string }>(
  kind: Counted,
  { edges, ...page }: Connection<Thing>,
): Connection<Thing> {
  return { ...page, edges: edges.map(({ cursor, node }) => ({ cursor, node: identified(kind, node) })) }
}
