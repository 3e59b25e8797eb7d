import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { execute, parse, type DocumentNode, type GraphQLSchema } from 'graphql'
import { prepareOperation } from '../../gateway/operation.js'
import { openSupergraph, type SupergraphExecutor } from '../../gateway/supergraph.js'
import { createLog } from '../../kernel/log.js'
import type { RequestContext, SubgraphExecutor, SubgraphResult } from '../../kernel/subgraph.js'
import { ending } from './at-end.js'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@inaccessible", "@external", "@override", "@requires", "@provides", "@interfaceObject"])'

/** A subgraph that a test writes: its SDL without the link to the federation, and what answers it. */
export interface WrittenSubgraph {
  sdl: string
  resolvers: Record<string, Record<string, unknown>>
}

/** A supergraph of subgraphs that a test writes, in this process. */
export interface ComposedTestGraph {
  supergraph: SupergraphExecutor
  /** Runs a document both ways. @returns each answer, and which subgraph ran the document itself, past the planner */
  bothWays: (
    source: string,
    variables?: Record<string, unknown>,
  ) => Promise<{ direct: SubgraphResult; planned: SubgraphResult; ranIn: string | undefined }>
}

const CONTEXT: RequestContext = { requestId: 'request', caller: { tenantId: 'tenant', keyId: 'key', products: [] } }

/** Composes and opens it. @throws where the subgraphs do not compose */
export async function composeTestGraph(written: Readonly<Record<string, WrittenSubgraph>>): Promise<ComposedTestGraph> {
  const services = Object.entries(written).map(([name, { sdl }]) => ({
    name,
    url: `http://${name}`,
    typeDefs: parse(`${LINK}\n${sdl}`),
  }))
  const { supergraphSdl, errors } = composeServices(services)
  if (supergraphSdl === undefined) throw new Error(String(errors))
  const schemas: Record<string, GraphQLSchema> = Object.fromEntries(
    services.map(({ name, typeDefs }) => [
      name,
      buildSubgraphSchema([{ typeDefs, resolvers: (written[name]?.resolvers ?? {}) as never }]),
    ]),
  )
  const asked: { name: string; document: DocumentNode }[] = []
  const executors = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]): [string, SubgraphExecutor] => [
      name,
      async ({ document, operationName, variables }) => {
        asked.push({ name, document })
        const variableValues = variables ?? null
        return (await execute({ schema, document, variableValues, operationName: operationName ?? null })) as never
      },
    ]),
  )
  const supergraph = ending(openSupergraph({ supergraphSdl, schemas }, executors, createLog('silent')))
  return {
    supergraph,
    bothWays: async (source, variables = {}) => {
      const operation = prepareOperation(source)
      const planned = await supergraph.executeByGateway(operation, variables, CONTEXT)
      const direct = await supergraph.execute(operation, variables, CONTEXT)
      return { planned, direct, ranIn: asked.findLast(({ document }) => document === operation.document)?.name }
    },
  }
}
