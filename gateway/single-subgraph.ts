import federation, { type Supergraph } from '@apollo/federation-internals'
import { QueryPlanner } from '@apollo/query-planner'
import { Kind, validate, visit, type GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { PreparedOperation } from './operation.js'

/** How many documents' decisions are kept. */
const DECISIONS_MAX = 2000

/**
 * Decides which documents one subgraph can answer alone. The gateway plans such a document as a single fetch at the root
 * that requires nothing, and the whole document is valid in that subgraph's own schema; then running it there is running
 * it, and the gateway's response pass has nothing to add. Everything else goes through the gateway.
 */
export function singleSubgraphPlanner(
  supergraph: Supergraph,
  subgraphSchemas: Readonly<Record<string, GraphQLSchema>>,
): (operation: PreparedOperation) => string | undefined {
  const planner = new QueryPlanner(supergraph)
  const apiSchema = supergraph.apiSchema()
  const decisions = new LRUCache<string, { service: string | undefined }>({ max: DECISIONS_MAX })

  function decide(operation: PreparedOperation): string | undefined {
    if (asksForSchema(operation)) return undefined
    const { document, operationName } = operation
    const planned = planner.buildQueryPlan(
      federation.operationFromDocument(apiSchema, document, { ...(operationName !== undefined && { operationName }) }),
    )
    const { node } = planned
    if (node?.kind !== 'Fetch' || node.requires !== undefined || node.hasDefers) return undefined
    const schema = subgraphSchemas[node.serviceName]
    return schema && validate(schema, document).length === 0 ? node.serviceName : undefined
  }

  return (operation) => {
    const key = `${operation.hash}:${operation.operationName ?? ''}`
    let decision = decisions.get(key)
    if (!decision) {
      decision = { service: decide(operation) }
      decisions.set(key, decision)
    }
    return decision.service
  }
}

/** Whether a document reads the schema itself, which is the supergraph's and not the subgraph's to tell. */
function asksForSchema({ document }: PreparedOperation): boolean {
  let found = false
  visit(document, {
    [Kind.FIELD](node) {
      if (node.name.value === '__schema' || node.name.value === '__type') found = true
    },
  })
  return found
}
