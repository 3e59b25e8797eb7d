/** Deeper than any metadata that people write, and far from what recursion or PostgreSQL's jsonb can take. */
const DEPTH_MAX = 64

/**
 * Why a JSON value of a caller cannot be kept: PostgreSQL's text and jsonb hold no NUL characters and no surrogates
 * without their other half (https://www.postgresql.org/docs/current/datatype-json.html).
 * @returns what is wrong, for people; undefined where it can be kept
 */
export function invalidTextProblem(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return textProblem(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= DEPTH_MAX) return `must not be nested deeper than ${DEPTH_MAX} levels`
  for (const [name, item] of Object.entries(value)) {
    const problem = textProblem(name) ?? invalidTextProblem(item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function textProblem(text: string): string | undefined {
  return text.includes('\u0000') || !text.isWellFormed()
    ? 'must not contain NUL characters or lone surrogates'
    : undefined
}
