import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin } from 'vitest/config'

const root = join(import.meta.dirname, '..')

/**
 * Leads imports of the product's modules to what was built of them in `dist/`, which the global setup brings up to date before
 * the first file: a process then loads and optimises each module once, and tests run the very code that is shipped. Vitest would
 * transform and run all of them again for each file. Test files, and harness modules that nothing built imports, are not in
 * `dist/` and run from source.
 */
export function builtModules(): Plugin {
  const known = new Map<string, string | undefined>()
  return {
    name: 'built-modules',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('.') || !source.endsWith('.js') || importer === undefined) return undefined
      const file = resolve(dirname(importer), source)
      if (!known.has(file)) known.set(file, builtOf(file))
      return known.get(file)
    },
  }
}

/** What was built of a module; undefined for one that is not the product's, or of which `dist/` only has remains. */
function builtOf(file: string): string | undefined {
  const inProject = relative(root, file)
  if (inProject.startsWith('..') || inProject.startsWith('node_modules/')) return undefined
  const source = file.slice(0, -'.js'.length)
  const built = join(root, 'dist', inProject)
  return (existsSync(`${source}.ts`) || existsSync(`${source}.tsx`)) && existsSync(built) ? built : undefined
}
