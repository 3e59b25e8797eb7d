import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql'

const known = new WeakMap<readonly FieldNode[], Map<string, ReadonlySet<string>>>()

/**
 * The names of the fields that a document selects of the objects at a path under a field, whatever type its fragments are for, and
 * whether or not its flags leave them out.
 * @param info of the field, as its resolver is given it
 * @param path names of fields, e.g. `['edges', 'node']`
 */
export function selectedFields(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  path: readonly string[],
): ReadonlySet<string> {
  const place = path.join('.')
  // The nodes of a document that is kept are the same ones each time.
  const found = known.get(fieldNodes)?.get(place)
  if (found) return found
  let fields = fieldNodes
  for (const name of path) fields = fieldsOf(fields, fragments).filter((field) => field.name.value === name)
  const names = new Set(fieldsOf(fields, fragments).map(({ name }) => name.value))
  known.set(fieldNodes, (known.get(fieldNodes) ?? new Map<string, ReadonlySet<string>>()).set(place, names))
  return names
}

/** The fields that are selected of the objects of others. */
function fieldsOf(fields: readonly FieldNode[], fragments: GraphQLResolveInfo['fragments']): FieldNode[] {
  const found: FieldNode[] = []
  const visited = new Set<string>()
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) found.push(selection)
      if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet)
      if (selection.kind !== Kind.FRAGMENT_SPREAD || visited.has(selection.name.value)) continue
      visited.add(selection.name.value)
      collect(fragments[selection.name.value]?.selectionSet)
    }
  }
  for (const { selectionSet } of fields) collect(selectionSet)
  return found
}
