import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApolloGateway } from '@apollo/gateway'
import federation from '@apollo/federation-internals'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { GraphQLError, parse, type GraphQLSchema } from 'graphql'
import type { RequestContext, SubgraphExecutor, SubgraphResult } from '../kernel/subgraph.js'
import { projectRoot } from '../kernel/root.js'
import { attachScalars } from '../kernel/scalars.js'
import { dataSource } from './data-source.js'
import type { PreparedOperation } from './operation.js'
import { directPlanner } from './plan-direct.js'

/** Runs operations over the whole supergraph. */
export interface SupergraphExecutor {
  /** What clients may query. */
  apiSchema: GraphQLSchema
  /** The composed supergraph. */
  sdl: string
  /** The quickest way to the answer: one subgraph where it suffices, otherwise the gateway. */
  execute: (
    operation: PreparedOperation,
    variables: Record<string, unknown>,
    context: RequestContext,
  ) => Promise<SubgraphResult>
  /** Always through the gateway; the answer that `execute` has to equal. */
  executeByGateway: SupergraphExecutor['execute']
  stop: () => Promise<void>
}

/**
 * Loads the committed supergraph over the given subgraphs, which may be in this process or in others.
 * @throws when a subgraph of the supergraph is not given
 */
export async function loadSupergraph(
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
): Promise<SupergraphExecutor> {
  const supergraphSdl = readSchema('supergraph.graphql')
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => dataSource(executorOf(name)),
  })
  const { executor } = await gateway.load()
  // The gateway checks variables too, and would know nothing of our scalars.
  if (gateway.schema) attachScalars(gateway.schema)
  const supergraph = federation.Supergraph.build(supergraphSdl)
  const schemas = Object.fromEntries(
    Object.keys(subgraphs).map((name) => [
      name,
      buildSubgraphSchema(parse(readSchema(`subgraphs/${name}.graphql`), { noLocation: true })),
    ]),
  )
  const directServiceOf = directPlanner(supergraph, schemas)
  const apiSchema = supergraph.apiSchema().toGraphQLJSSchema()
  attachScalars(apiSchema)

  function executorOf(name: string): SubgraphExecutor {
    const execute = subgraphs[name]
    if (!execute) throw new Error(`the supergraph names a subgraph that is not there: ${name}`)
    return execute
  }

  const executeByGateway: SupergraphExecutor['execute'] = async (operation, variables, context) => {
    const { document, source, operationName, hash } = operation
    const result = await executor({
      request: { query: source, variables, ...(operationName !== undefined && { operationName }) },
      document,
      operationName: operationName ?? null,
      queryHash: hash,
      source,
      context,
      schema: apiSchema,
      logger: silent,
      metrics: {},
      cache: undefined as never,
      overallCachePolicy: undefined as never,
    } as never)
    return presentable(result as SubgraphResult)
  }

  return {
    apiSchema,
    sdl: supergraphSdl,
    executeByGateway,
    execute: async (operation, variables, context) => {
      const service = directServiceOf(operation)
      if (service === undefined) return executeByGateway(operation, variables, context)
      const { document, operationName } = operation
      return presentable(await executorOf(service)({ document, operationName, variables, context }))
    },
    stop: () => gateway.stop(),
  }
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

function readSchema(file: string): string {
  return readFileSync(join(projectRoot, 'schema', file), 'utf8')
}

/**
 * The same errors whichever way they came: without places in documents that no client sent, without our parts' names, and
 * with a code where nothing was run, as the variables do not fit. No `data` at all is what says so.
 */
function presentable(result: SubgraphResult): SubgraphResult {
  const { data, errors } = result
  if (!errors) return result
  const shown = errors.map((error) => presentableError(error, data === undefined))
  return { ...(data !== undefined && { data }), errors: shown }
}

function presentableError({ message, path, extensions }: GraphQLError, isOfVariables: boolean): GraphQLError {
  const { serviceName: _, ...visible } = extensions
  if (isOfVariables) visible['code'] ??= 'BAD_USER_INPUT'
  return new GraphQLError(message, { ...(path && { path }), extensions: visible })
}
