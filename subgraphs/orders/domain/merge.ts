/** The same object with every field optional and nullable, as callers send it. */
export type Patch<T> = { [Field in keyof T]?: T[Field] | null | undefined }

/** The fields of `sent` that say something: null is taken as absent. */
export function present<T extends object>(sent: Patch<T>): Partial<T> {
  const fields = Object.entries(sent).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(fields) as Partial<T>
}

/**
 * Lays `sent` over `stored`: what is absent stays, and null clears a field.
 * @returns an object that may be incomplete where nothing was stored, or where null cleared what is needed
 */
export function merge<T extends object>(stored: T | null | undefined, sent: Patch<T>): Partial<T> {
  const merged: Partial<T> = { ...stored, ...present(sent) }
  return Object.fromEntries(Object.entries(merged).filter(([field]) => sent[field as keyof T] !== null)) as Partial<T>
}

/** Merges lists by index: item `i` sent is laid over stored item `i`, later ones are appended, absent ones stay. */
export function mergeByIndex<T extends object>(stored: readonly T[], sent: readonly Patch<T>[]): Partial<T>[] {
  const length = Math.max(stored.length, sent.length)
  return Array.from({ length }, (_, index) => merge(stored[index], sent[index] ?? {}))
}
