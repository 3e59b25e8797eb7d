import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../../kernel/root.js'

const root = join(projectRoot, 'subgraphs')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const concurrent = sources
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\{ name: '([^']+)'.*isConcurrent: true/g)])
  .map(([, name]) => String(name))

/** What a migration runs: it is in the file of its name. */
async function statementsOf(name: string): Promise<string[]> {
  const paths = sources.filter((path) => basename(path) === `${name}.ts`)
  const modules = await Promise.all(paths.map((path) => import(join(root, path)) as Promise<Record<string, string[]>>))
  return modules.flatMap((one) => Object.values(one).flat())
}

// These wait for their locks for minutes: `alter table` would hold up everybody who wants the table meanwhile. An update locks its rows alone.
it.each(concurrent)(
  'a concurrent migration builds and drops indexes, or updates rows, and holds up no table: %s',
  async (name) => {
    const statements = await statementsOf(name)
    expect(statements).not.toEqual([])
    const others = statements.filter((one) => !/^(?:(?:create(?: unique)?|drop) index concurrently|update) /.test(one))
    expect(others).toEqual([])
  },
)
