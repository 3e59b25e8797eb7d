/** The same object with every field optional and nullable, as callers send it. */
export type Patch<T> = { [Field in keyof T]?: T[Field] | null | undefined }

/** The fields of `sent` that say something: null is taken as absent, so an update cannot unset a field. */
export function present<T extends object>(sent: Patch<T>): Partial<T> {
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(fields) as Partial<T>
}

/**
 * Merges by index: item `i` sent is laid over stored item `i`, later ones are appended, absent ones stay.
 * @returns items of which the appended ones may be incomplete
 */
export function mergeByIndex<T extends object>(stored: readonly T[], sent: readonly Patch<T>[]): Partial<T>[] {
  const length = Math.max(stored.length, sent.length)
  return Array.from({ length }, (_, index) => ({ ...stored[index], ...present<T>(sent[index] ?? {}) }))
}
