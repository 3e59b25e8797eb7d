import type { Route } from './route.js'

/**
 * A query in which words that stand for several are in the field that takes several. What was sent for that field itself is not read:
 * REST does not have it.
 */
export function withWidened(
  query: Readonly<Record<string, unknown>>,
  widened: Route['widened'],
): Record<string, unknown> {
  const changed = { ...query }
  for (const [field, { words, by }] of Object.entries(widened ?? {})) {
    const word = query[field]
    const values = typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined
    changed[by] = values
    if (values) delete changed[field]
  }
  return changed
}
