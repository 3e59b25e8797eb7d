import { ObjectType } from 'type-graphql'
import { PageInfoType } from './page-info.type.js'
import { Fields } from './subgraph-fields.js'

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
  class Edge {}
  Fields('answer', {
    cursor: { type: () => String, description: 'Names its place in the list.' },
    node: { type, description: 'What stands there.' },
  })(Edge)
  ObjectType(`${name}Edge`, { description: `The place of ${noun} in a list.` })(Edge)
  class Page {}
  Fields('answer', {
    edges: { type: () => [Edge], description: `One for each, ${order}.` },
    pageInfo: { type: () => PageInfoType, description: 'Where the page stands.' },
  })(Page)
  ObjectType(`${name}Connection`, { description: `A page of a list with cursors; each node is ${noun}.` })(Page)
  return Page
}
