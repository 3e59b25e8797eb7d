import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GraphQLSchema } from 'graphql'
import { projectRoot } from '../../kernel/root.js'
import { consoleOperations, operationsSource } from './operations-source.js'

/**
 * Writes the console's documents, `console/operations/*.graphql`: their ids and types as a module of the page, and their texts
 * as the manifest of what the server runs for people, in the format of `@apollo/generate-persisted-query-manifest`.
 * @throws GraphQLError where a document is not valid against the schema
 */
export async function writeConsole(schema: GraphQLSchema): Promise<void> {
  const folder = join(projectRoot, 'console', 'operations')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.graphql'))
  const documents = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const target = join(projectRoot, 'console', 'page', 'generated')
  await mkdir(target, { recursive: true })
  const operations = consoleOperations(schema, documents)
  await writeFile(join(target, 'operations.ts'), operationsSource(schema, operations))
  const manifest = {
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: operations.map(({ id, name, type, text }) => ({ id, name, type, body: text })),
  }
  await writeFile(join(projectRoot, 'schema', 'console-documents.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
