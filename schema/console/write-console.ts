import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { projectRoot } from '../../kernel/root.js'
import { operationsSource } from './operations-source.js'

/**
 * Writes the console's documents with their types: `console/operations/*.graphql` as a module of the page.
 * @throws GraphQLError where a document is not valid against the schema
 */
export async function writeConsole(schema: GraphQLSchema): Promise<void> {
  const folder = join(projectRoot, 'console', 'operations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql'))
  const documents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const target = join(projectRoot, 'console', 'page', 'generated')
  await mkdir(target, { recursive: true })
  await writeFile(join(target, 'operations.ts'), operationsSource(schema, documents))
}
