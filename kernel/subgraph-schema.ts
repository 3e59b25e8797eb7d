import type { GraphQLSchema } from 'graphql'
import type { buildSubgraph } from './subgraph.js'

type Build = () => Pick<ReturnType<typeof buildSubgraph>, 'schema'>

const schemas = new WeakMap<Build, GraphQLSchema>()

/**
 * The schema of a subgraph, built once for a process: it follows from the code alone, and takes a tenth of a second or more
 * to build. Several of one subgraph in a process, as tests have them, share it.
 * @param build calls `buildSubgraph`; always the same function for the same subgraph
 */
export function schemaOf(build: Build): GraphQLSchema {
  const known = schemas.get(build)
  if (known) return known
  const { schema } = build()
  schemas.set(build, schema)
  return schema
}
