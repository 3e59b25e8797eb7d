import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isUnionType,
  Kind,
  typeFromAST,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Source } from './execution.js'

/**
 * The fields that are selected of an object, by the keys of the answer and in its order: what
 * https://spec.graphql.org/October2021/#CollectFields() collects.
 * @param sets merged: a field may be selected at several places
 */
export function collectFields(
  source: Source,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const visited = new Set<string>()

  function collect({ selections }: SelectionSetNode): void {
    for (const selection of selections) {
      switch (selection.kind) {
        case Kind.FIELD: {
          if (!isIncluded(source, selection)) continue
          const key = (selection.alias ?? selection.name).value
          const known = fields.get(key)
          if (known) known.push(selection)
          else fields.set(key, [selection])
          break
        }
        case Kind.INLINE_FRAGMENT:
          if (isIncluded(source, selection) && isFor(source, selection, type)) collect(selection.selectionSet)
          break
        case Kind.FRAGMENT_SPREAD: {
          const { value: name } = selection.name
          if (visited.has(name) || !isIncluded(source, selection)) continue
          visited.add(name)
          const fragment = source.fragments[name]
          if (fragment && isFor(source, fragment, type)) collect(fragment.selectionSet)
        }
      }
    }
  }

  sets.forEach(collect)
  return fields
}

function isIncluded({ flags }: Source, node: SelectionNode): boolean {
  if (!node.directives?.length) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, flags)?.['if'] === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, flags)?.['if'] !== false
}

function isFor(
  { schema }: Source,
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  type: GraphQLCompositeType,
): boolean {
  if (!typeCondition) return true
  const wanted = typeFromAST(schema, typeCondition)
  return wanted === type || (isAbstractType(wanted) && !isUnionType(type) && schema.isSubType(wanted, type))
}
