import { isDeepStrictEqual } from 'node:util'

/** A place in a JSON value at which another one differs: the names of fields and the indices of list items that lead to it. */
export interface Change {
  path: string[]
  /** What is there; left out where nothing is there any more. */
  value?: unknown
}

/**
 * What makes `after` of `before`, place by place, so that one field of one item of a long list is one change. A field that is
 * undefined is taken as absent.
 */
export function changesBetween(before: unknown, after: unknown, path: string[] = []): Change[] {
  if (isDeepStrictEqual(before, after)) return []
  if (!isWalkable(before) || !isWalkable(after) || !isWithin(before, after)) {
    return [after === undefined ? { path } : { path, value: after }]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changesBetween(before[name], after[name], [...path, name]))
}

/** Makes changes to the value itself, one after the other. @returns it */
export function makeChanges<Value extends object>(value: Value, changes: readonly Change[]): Value {
  for (const change of changes) makeChange(value as Record<string, unknown>, change)
  return value
}

function makeChange(within: Record<string, unknown>, { path: [name = '', ...rest], ...change }: Change): void {
  if (rest.length > 0) makeChange(within[name] as Record<string, unknown>, { ...change, path: rest })
  else if ('value' in change) within[name] = change.value
  else Reflect.deleteProperty(within, name)
}

function isWalkable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A list that became shorter is written down whole: taking an item out of it would leave a hole. */
function isWithin(before: object, after: object): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return Array.isArray(before) === Array.isArray(after)
  return after.length >= before.length
}
