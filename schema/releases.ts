import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { projectRoot } from '../kernel/root.js'
import { schemaChanges, type AcceptedChange, type SchemaChanges } from './changes.js'

/** What is served now. */
export const CURRENT = 'current'

const folder = join(projectRoot, 'schema')

/** How the files of a release end: its schema, and why it broke what it broke of the one before. */
const [SCHEMA, ACCEPTED] = ['.graphql', 'accepted-changes.json']

/** The versions of the API schema that were released, oldest first. */
export function releases(): string[] {
  const names = filesOfReleases(SCHEMA).map((file) => file.slice(0, -SCHEMA.length))
  return names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

/** What has changed since a release, with the reasons that were given since. @param release the last of `releases` */
export function changesSince(release: string): SchemaChanges {
  return schemaChanges(readVersion(release), readVersion(CURRENT), readAccepted(ACCEPTED))
}

/**
 * What changed between two versions, with the reasons of whichever release.
 * @param from, to of `releases`, or `CURRENT`
 */
export function changesBetween(from: string, to: string): SchemaChanges {
  const files = [...filesOfReleases(ACCEPTED).map((file) => join('released', file)), ACCEPTED]
  return schemaChanges(readVersion(from), readVersion(to), files.flatMap(readAccepted))
}

function filesOfReleases(end: string): string[] {
  return readdirSync(join(folder, 'released')).filter((file) => file.endsWith(end))
}

function readAccepted(path: string): AcceptedChange[] {
  return JSON.parse(readFileSync(join(folder, path), 'utf8')) as AcceptedChange[]
}

function readVersion(version: string): GraphQLSchema {
  const path = version === CURRENT ? 'api.graphql' : join('released', `${version}.graphql`)
  return buildSchema(readFileSync(join(folder, path), 'utf8'))
}
