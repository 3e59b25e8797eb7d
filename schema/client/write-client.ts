import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApiDocument } from '../../rest-compat/openapi.js'
import { errorsSource } from './errors-source.js'
import { operationsSource } from './operations-source.js'
import { typesSource } from './types-source.js'

const NOTE = '// Written by `npm run schema` from the OpenAPI document.\n\n'

/** Writes what the client knows of the REST layer: its operations, its types and its errors. */
export async function writeClient(folder: string, document: OpenApiDocument): Promise<void> {
  await mkdir(folder, { recursive: true })
  const write = (name: string, source: string) => writeFile(join(folder, `${name}.ts`), NOTE + source)
  await write('types', typesSource(document))
  await write('operations', operationsSource(document))
  await write('errors', errorsSource())
}
