import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { projectRoot } from '../kernel/root.js'
import { schemaChanges, type AcceptedChange, type SchemaChanges } from './changes.js'

/** What is served now. */
export const CURRENT = 'current'

const folder = join(projectRoot, 'schema')

/** The versions of the API schema that were released, oldest first. */
export function releases(): string[] {
  const names = readdirSync(join(folder, 'released')).map((file) => file.replace(/\.graphql$/, ''))
  return names.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

/**
 * What changed between two versions, with the reasons of `accepted-changes.json`.
 * @param from, to of `releases`, or `CURRENT`
 */
export function changesBetween(from: string, to: string): SchemaChanges {
  const accepted = JSON.parse(readFileSync(join(folder, 'accepted-changes.json'), 'utf8')) as AcceptedChange[]
  return schemaChanges(readVersion(from), readVersion(to), accepted)
}

function readVersion(version: string): GraphQLSchema {
  const path = version === CURRENT ? 'api.graphql' : join('released', `${version}.graphql`)
  return buildSchema(readFileSync(join(folder, path), 'utf8'))
}
