import { ObjectType } from 'type-graphql'
import { PageInfoType } from './page-info.type.js'
import { Fields, type SharedField } from './subgraph-fields.js'

/**
 * The types of a list with cursors: `<name>Connection` and `<name>Edge`.
 * @param type the class of a node
 * @param noun what a node is, in English, with its article: `an alert`
 * @param order in which order they come: `the newest first`
 */
export function connectionType(
  name: string,
  type: () => new () => object,
  { noun, order }: { noun: string; order: string },
): new () => object {
  return describedConnection(name, type, {
    cursor: 'Names its place in the list.',
    node: 'What stands there.',
    edge: `The place of ${noun} in a list.`,
    edges: `One for each, ${order}.`,
    page: `A page of a list with cursors; each node is ${noun}.`,
  })
}

/**
 * The same in other words.
 * @param more fields that a page has besides
 */
export function describedConnection(
  name: string,
  type: () => new () => object,
  says: Readonly<Record<'node' | 'edge' | 'edges' | 'page', string>> & { cursor?: string },
  more: Readonly<Record<string, SharedField>> = {},
): new () => object {
  class Edge {}
  Fields('answer', {
    cursor: { type: () => String, description: says.cursor ?? 'Its position in the list.' },
    node: { type, description: says.node },
  })(Edge)
  ObjectType(`${name}Edge`, { description: says.edge })(Edge)
  class Page {}
  Fields('answer', {
    edges: { type: () => [Edge], description: says.edges },
    pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
    ...more,
  })(Page)
  ObjectType(`${name}Connection`, { description: says.page })(Page)
  return Page
}
