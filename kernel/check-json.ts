import type { z } from 'zod'

/**
 * What is wrong with a JSON value, one line for each problem: its path, and what should be there. The value is never part
 * of it, as it may hold a key.
 * @param root what the value is called: it stands for a path that is empty
 * @param prefix whether it stands before every path, too
 */
export function problemsOf(error: z.ZodError | undefined, root: string, prefix = false): string[] {
  const line = (path: readonly PropertyKey[], message: string): string =>
    `${[...(prefix || path.length === 0 ? [root] : []), ...path].join('.')}: ${message}`
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => line([...issue.path, key], 'is not a known field'))
      : [line(issue.path, issue.message)],
  )
}
