/** Deeper than any metadata that people write, and far from what recursion or PostgreSQL's jsonb can take. */
const DEPTH_MAX = 64

/** A text that cannot be kept: what is wrong with it, for people, and the names that lead to it. */
export interface InvalidText {
  path: readonly string[]
  problem: string
}

/** Why a JSON value of a caller cannot be kept, as `findInvalidText` says it. */
export function invalidTextProblem(value: unknown): string | undefined {
  return findInvalidText(value)?.problem
}

/**
 * The first text of a JSON value that cannot be kept: PostgreSQL's text and jsonb hold no NUL characters and no surrogates
 * without their other half (https://www.postgresql.org/docs/current/datatype-json.html).
 * @returns undefined where all of it can be kept; a name that cannot be kept is found at the object that has it
 */
export function findInvalidText(value: unknown, depth = 0): InvalidText | undefined {
  if (typeof value === 'string') {
    const problem = textProblem(value)
    return problem === undefined ? undefined : { path: [], problem }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= DEPTH_MAX) return { path: [], problem: `must not be nested deeper than ${DEPTH_MAX} levels` }
  const isList = Array.isArray(value)
  for (const name of Object.keys(value)) {
    const problem = isList ? undefined : textProblem(name)
    if (problem !== undefined) return { path: [], problem }
    const inside = findInvalidText((value as Record<string, unknown>)[name], depth + 1)
    if (inside) return { ...inside, path: [name, ...inside.path] }
  }
  return undefined
}

function textProblem(text: string): string | undefined {
  return text.includes('\u0000') || !text.isWellFormed()
    ? 'must not contain NUL characters or lone surrogates'
    : undefined
}
