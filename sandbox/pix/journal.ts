import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { writePrivate } from '../private-file.js'

/** The newest state of things by their keys, each change of which is on disk before it is told to anybody. */
export interface Journal<Value> {
  values: ReadonlyMap<string, Value>
  put(key: string, value: Value): void
  remove(key: string): void
}

/**
 * A map that survives a kill: one JSON line per change is appended to a file, and read back at the next start. Without a
 * file it is kept in memory only. A last line that a crash cut off is dropped.
 */
export function openJournal<Value>(file: string | undefined): Journal<Value> {
  const values = new Map<string, Value>()
  for (const line of file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const change = readLine<Value>(line)
    if (change && 'value' in change) values.set(change.key, change.value)
    else if (change) values.delete(change.key)
  }
  if (file !== undefined) compact(file, values)
  const append = (change: object): void => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(change)}\n`)
  }
  return {
    values,
    put: (key, value) => {
      append({ key, value })
      values.set(key, value)
    },
    remove: (key) => {
      append({ key })
      values.delete(key)
    },
  }
}

function readLine<Value>(line: string): { key: string; value: Value } | { key: string } | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as { key: string })
  } catch {
    return undefined
  }
}

function compact<Value>(file: string, values: ReadonlyMap<string, Value>): void {
  const lines = [...values].map(([key, value]) => `${JSON.stringify({ key, value })}\n`)
  writePrivate(file, lines.join(''))
}
