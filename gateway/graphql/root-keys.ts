import { Kind, type FragmentDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql'

/**
 * The result names of an operation's root fields, fragments included.
 * @param isCounted left out where those count, too, that are not asked for
 */
export function rootKeysOf(
  root: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  isCounted: (node: SelectionNode) => boolean = () => true,
): ReadonlySet<string> {
  const keys = new Set<string>()
  const entered = new Set<string>()
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isCounted(node)) continue
      if (node.kind === Kind.INLINE_FRAGMENT) collect(node.selectionSet)
      else if (node.kind === Kind.FIELD) {
        if (node.name.value !== '__typename') keys.add(node.alias?.value ?? node.name.value)
      } else if (!entered.has(node.name.value)) {
        entered.add(node.name.value)
        const fragment = fragments.get(node.name.value)
        if (fragment) collect(fragment.selectionSet)
      }
    }
  }
  collect(root)
  return keys
}
