import { Kind, visit, type DocumentNode, type SelectionSetNode } from 'graphql'
import { QUERY_LIMITS } from './query-limits.js'

/**
 * Why a document repeats a field too often to be validated: validation compares a field with all that have its name, and of 480
 * that are the same it would take 80 ms.
 * @returns undefined where it does not
 */
export function repeatsProblem(document: DocumentNode): string | undefined {
  const repeats = repeatsIn(document)
  if (repeats <= QUERY_LIMITS.repeats) return undefined
  return `The query is too complex: it has the same field ${repeats} times in one place, the limit is ${QUERY_LIMITS.repeats}.`
}

/** How often one selection has the same field at most, what stands in inline fragments included. */
function repeatsIn(document: DocumentNode): number {
  let most = 0
  visit(document, {
    SelectionSet(node) {
      const times = new Map<string, number>()
      const count = ({ selections }: SelectionSetNode): void => {
        for (const selection of selections) {
          if (selection.kind === Kind.INLINE_FRAGMENT) count(selection.selectionSet)
          if (selection.kind !== Kind.FIELD) continue
          const name = (selection.alias ?? selection.name).value
          const now = (times.get(name) ?? 0) + 1
          times.set(name, now)
          most = Math.max(most, now)
        }
      }
      count(node)
    },
  })
  return most
}
