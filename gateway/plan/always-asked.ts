import {
  Kind,
  print,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { fragmentsOf } from '../graphql/measuring.js'
import type { SubgraphResult } from '../../kernel/subgraph.js'
import type { PreparedOperation } from '../operation.js'

/** An operation of which nothing is left out by mistake. */
export interface AlwaysAsked {
  operation: PreparedOperation
  /** The name of what was added; undefined where nothing was. */
  added: string | undefined
}

/**
 * An operation in which every object is asked for something that no `@skip` and no `@include` can take away: its type, under a name of ours.
 * The planner takes a condition that all fields of an object have for one of the object itself, and asks nobody for it: an
 * object that is there, and of which nothing is wanted, would be null instead of `{}`.
 */
export function alwaysAsked(operation: PreparedOperation): AlwaysAsked {
  const added = `typename_${operation.hash.slice(0, 16)}`
  const mayBeEmpty = emptiness(operation.document)
  const document = visit(operation.document, {
    Field: {
      leave: (node): FieldNode | undefined => {
        if (!node.selectionSet || !mayBeEmpty(node.selectionSet)) return undefined
        const selections = [...node.selectionSet.selections, typeNamed(added)]
        return { ...node, selectionSet: { ...node.selectionSet, selections } }
      },
    },
  })
  if (document === operation.document) return { operation, added: undefined }
  return { operation: { ...operation, document, source: print(document) }, added }
}

/** An answer without what was added. */
export function withoutAdded(answer: SubgraphResult, added: string): SubgraphResult {
  return answer.data ? { ...answer, data: without(answer.data, added) as typeof answer.data } : answer
}

function without(value: unknown, added: string): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, added))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => key !== added)
  return Object.fromEntries(kept.map(([key, inner]) => [key, without(inner, added)]))
}

function typeNamed(name: string): FieldNode {
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: name },
    name: { kind: Kind.NAME, value: '__typename' },
  }
}

/** What tells whether all that is selected somewhere may be left out. */
function emptiness(document: DocumentNode): (set: SelectionSetNode) => boolean {
  const fragments = fragmentsOf(document)
  const known = new Map<FragmentDefinitionNode, boolean>()
  const ofFragment = (fragment: FragmentDefinitionNode): boolean => {
    const found = known.get(fragment) ?? ofSet(fragment.selectionSet)
    known.set(fragment, found)
    return found
  }
  const ofSelection = (selection: SelectionNode): boolean => {
    if (selection.directives?.length) return true
    if (selection.kind === Kind.INLINE_FRAGMENT) return ofSet(selection.selectionSet)
    if (selection.kind === Kind.FIELD) return false
    const fragment = fragments.get(selection.name.value)
    return !fragment || ofFragment(fragment)
  }
  const ofSet = ({ selections }: SelectionSetNode): boolean => selections.every(ofSelection)
  return ofSet
}
