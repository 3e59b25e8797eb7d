import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { composeServices } from '@apollo/composition'
import federation from '@apollo/federation-internals'
import { parse, printSchema } from 'graphql'
import 'reflect-metadata'
import { projectRoot } from '../kernel/root.js'
import { errorsTable } from '../rest-compat/errors-table.js'
import { openApiDocument, type OpenApiDocument } from '../rest-compat/openapi.js'
import { loadOperations, wholeSchema } from '../rest-compat/operation.js'
import { SUBGRAPHS } from '../subgraphs/registry.js'
import { writeClient } from './client/write-client.js'
import { writeConsole } from './console/write-console.js'

/**
 * Writes what is committed in `schema/`: each subgraph's SDL, the supergraph composed of them, and the API schema that
 * clients see. CI runs it and fails on a diff, so composition happens here and never at start-up. `docs/errors.md` is
 * written with them.
 */
async function generate(): Promise<void> {
  const folder = join(projectRoot, 'schema')
  await mkdir(join(folder, 'subgraphs'), { recursive: true })
  const services = Object.entries(SUBGRAPHS).map(([name, build]) => ({ name, sdl: build().sdl }))
  for (const { name, sdl } of services) await writeFile(join(folder, 'subgraphs', `${name}.graphql`), sdl)
  const composed = composeServices(
    services.map(({ name, sdl }) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) })),
  )
  if (composed.errors) throw new Error(composed.errors.map(String).join('\n'))
  // A hint is something that subgraphs say of the same thing in two ways.
  if (composed.hints.length > 0) throw new Error(composed.hints.map(String).join('\n'))
  await writeFile(join(folder, 'supergraph.graphql'), composed.supergraphSdl)
  const api = federation.Supergraph.build(composed.supergraphSdl).apiSchema().toGraphQLJSSchema()
  await writeFile(join(folder, 'api.graphql'), `${printSchema(api)}\n`)
  await writeClient(join(projectRoot, 'client', 'src', 'generated'), restDocument(composed.supergraphSdl))
  await writeConsole(api)
  const docs = join(projectRoot, 'docs')
  await mkdir(docs, { recursive: true })
  await writeFile(join(docs, 'errors.md'), errorsTable())
}

/** The description of the REST layer, but for the address and the version, which no client needs. */
function restDocument(supergraphSdl: string): OpenApiDocument {
  const schema = wholeSchema(supergraphSdl)
  return openApiDocument({
    schema,
    operations: loadOperations(schema),
    publicUrl: 'http://localhost',
    version: '',
  })
}

await generate()
