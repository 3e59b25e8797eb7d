import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { projectRoot } from '../kernel/root.js'
import { asMarkdown, schemaChanges, type AcceptedChange } from './changes.js'

/**
 * Compares the API schema with that of the last release, and prints what changed as Markdown. Fails where a change breaks clients and
 * `accepted-changes.json` has no reason for it.
 */
function check(): void {
  const folder = join(projectRoot, 'schema')
  const read = (...names: string[]): string => readFileSync(join(folder, ...names), 'utf8')
  const releases = readdirSync(join(folder, 'released')).map((file) => file.replace(/\.graphql$/, ''))
  const release = releases.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
  if (release === undefined) throw new Error('schema/released holds no release')
  const accepted = JSON.parse(read('accepted-changes.json')) as AcceptedChange[]
  const changes = schemaChanges(
    buildSchema(read('released', `${release}.graphql`)),
    buildSchema(read('api.graphql')),
    accepted,
  )
  process.stdout.write(asMarkdown(changes, release))
  if (changes.breaking.length + changes.stale.length === 0) return
  process.stderr.write(
    'Each breaking change needs a reason in schema/accepted-changes.json, and each reason a change.\n',
  )
  process.exitCode = 1
}

check()
