import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { projectRoot } from '../../kernel/root.js'
import { attachScalars } from '../../kernel/scalars.js'
import { wholeSchema } from '../../rest-compat/operation.js'

/** The committed schema that clients may query. */
export function loadApiSchema(): GraphQLSchema {
  const schema = buildSchema(readFileSync(join(projectRoot, 'schema', 'api.graphql'), 'utf8'))
  attachScalars(schema)
  return schema
}

/** The committed supergraph, with what clients are not told of. */
export function loadWholeSchema(): GraphQLSchema {
  return wholeSchema(readFileSync(join(projectRoot, 'schema', 'supergraph.graphql'), 'utf8'))
}
