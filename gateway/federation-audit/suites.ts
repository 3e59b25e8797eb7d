import { existsSync, readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A question of the audit, and what it has to be answered with. */
export interface AuditCase {
  query: string
  /** `errors` says whether there have to be some; where it is no boolean, both are right. */
  expected: { data?: unknown; errors?: unknown }
}

/** Subgraphs, and what is asked of them together. */
export interface AuditSuite {
  name: string
  subgraphs: readonly { name: string; typeDefs: string; resolvers: object }[]
  /** Those that write have other ids each time. */
  cases: () => readonly AuditCase[]
}

/** In place of the audit's two modules that put subgraphs behind a web server: what they are given is all that is needed. */
const STAND_INS: Readonly<Record<string, string>> = {
  'subgraph.js': 'export const createSubgraph = (name, given) => ({ name, ...given })',
  'supergraph.js': 'export const serve = (id, subgraphs, tests) => ({ subgraphs, tests })',
}

/**
 * Reads the suites of the public federation audit.
 * @param folder a clone of it; nothing has to be installed there
 */
export async function readSuites(folder: string): Promise<AuditSuite[]> {
  const sources = join(resolve(folder), 'src')
  loadFrom(sources)
  const suites = join(sources, 'test-suites')
  const names = readdirSync(suites).filter((name) => existsSync(join(suites, name, 'index.ts')))
  return Promise.all(
    names.toSorted().map(async (name): Promise<AuditSuite> => {
      const { default: suite } = (await import(pathToFileURL(join(suites, name, 'index.ts')).href)) as {
        default: { subgraphs: AuditSuite['subgraphs']; tests: readonly AuditCase[] | (() => readonly AuditCase[]) }
      }
      const { subgraphs, tests } = suite
      return { name, subgraphs, cases: () => (typeof tests === 'function' ? tests() : tests) }
    }),
  )
}

/** Has the audit's sources loaded as they are: Node strips their types, and their packages are those of this project. */
function loadFrom(sources: string): void {
  const root = pathToFileURL(sources + sep).href
  registerHooks({
    resolve(specifier, context, next) {
      if (!context.parentURL?.startsWith(root)) return next(specifier, context)
      if (!specifier.startsWith('.')) return next(specifier, { ...context, parentURL: import.meta.url })
      const url = new URL(specifier, context.parentURL).href
      const standIn = STAND_INS[url.slice(root.length)]
      if (standIn === undefined) return next(url.replace(/\.js$/, '.ts'), context)
      return { url: `data:text/javascript,${encodeURIComponent(standIn)}`, shortCircuit: true }
    },
  })
}
