import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The project's folder, from source and from `dist` alike: files that are read at run time are named from here. */
export const projectRoot = findRoot(import.meta.dirname)

function findRoot(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from
  const parent = dirname(from)
  if (parent === from) throw new Error('package.json was not found above the program')
  return findRoot(parent)
}
