import federation, { type Supergraph } from '@apollo/federation-internals'
import { QueryPlanner, type QueryPlan } from '@apollo/query-planner'
import { validate, type GraphQLSchema } from 'graphql'
import { recentlyUsed } from '../kernel/recently-used.js'
import { documentLru } from '../kernel/document-size.js'
import { asksForSchema } from './introspection.js'
import type { PreparedOperation } from './operation.js'
import { alwaysAsked } from './plan/always-asked.js'
import { askedOperation, plannersFields } from './plan/client-names.js'
import { memberTypesOf } from './plan/entities.js'
import { plannedOperation, type PlannedOperation } from './plan/planned-operation.js'
import { schemaDifferences, touches } from './schema-differences.js'

/** How many documents' decisions are kept. */
const DECISIONS_MAX = 2000
/** How much of compiled plans is kept, in each process. */
const PLANNED_MAX_BYTES = 16 * 1024 * 1024
/** What it takes to remember that one is the gateway's. */
const UNPLANNED_BYTES = 500

/** The subgraph that answers a document alone; undefined where it takes the planner. */
interface Decision {
  service: string | undefined
}

/** How documents are answered. */
export interface Plans {
  /** The subgraph that can answer a valid document alone; undefined where it takes the planner. */
  singleSubgraphOf: (operation: PreparedOperation) => string | undefined
  /** A valid document that takes several subgraphs; undefined where the gateway has to run it. */
  plannedOf: (operation: PreparedOperation) => PlannedOperation | undefined
  /** Whether a valid document was planned, and its plan is kept. */
  isPlanned: (operation: PreparedOperation) => boolean
  /** What the gateway would ask for a valid document. */
  planOf: (operation: PreparedOperation) => QueryPlan
}

/**
 * Plans documents, and decides which of them one subgraph can answer alone. The gateway plans such a document as a single fetch at the root
 * that requires nothing, the whole document is valid in that subgraph's own schema, and it touches nothing that the subgraph
 * has otherwise than the API; then running it there is running it, and the gateway's response pass has nothing to add.
 * Everything else goes through the gateway. An operation of the product's own is answered by the subgraph in whose schema it is valid.
 * @param apiSchema what clients see of it
 */
export function singleSubgraphPlanner(
  supergraph: Supergraph,
  apiSchema: GraphQLSchema,
  subgraphSchemas: Readonly<Record<string, GraphQLSchema>>,
): Plans {
  const planner = new QueryPlanner(supergraph)
  const plannersApi = supergraph.apiSchema()
  const memberTypes = memberTypesOf(supergraph.schema)
  const differences = Object.fromEntries(
    Object.entries(subgraphSchemas).map(([name, schema]) => [name, schemaDifferences(schema, apiSchema)]),
  )
  const decisions = recentlyUsed<string, Decision>(DECISIONS_MAX)
  // Of an operation that is kept the text need not be looked up each time.
  const decided = new WeakMap<PreparedOperation, Decision>()
  const planned = documentLru<{ planned: PlannedOperation | undefined }>(PLANNED_MAX_BYTES)
  const plannersOwn = plannersFields(supergraph.schema)

  function planOf(operation: PreparedOperation): QueryPlan {
    const { document, operationName } = alwaysAsked(askedOperation(operation, plannersOwn).operation).operation
    return planner.buildQueryPlan(
      federation.operationFromDocument(plannersApi, document, {
        ...(operationName !== undefined && { operationName }),
      }),
    )
  }

  function serviceOf({ document }: PreparedOperation, { node }: QueryPlan): string | undefined {
    if (node?.kind !== 'Fetch' || node.requires !== undefined || node.hasDefers) return undefined
    const schema = subgraphSchemas[node.serviceName]
    if (!schema || validate(schema, document).length > 0) return undefined
    return touches(document, schema, differences[node.serviceName] ?? new Set()) ? undefined : node.serviceName
  }

  function keepPlanned(operation: PreparedOperation, plan: QueryPlan | undefined): PlannedOperation | undefined {
    const made = plan && plannedOperation(askedOperation(operation, plannersOwn), plan, { apiSchema, memberTypes })
    planned.set(keyOf(operation), { planned: made }, { size: made?.bytes ?? UNPLANNED_BYTES })
    return made
  }

  /** Plans a document once for both: the subgraph that answers it alone, or the plan that is kept. */
  function decide(operation: PreparedOperation): Decision {
    if (operation.isOwn) return { service: ownServiceOf(operation, subgraphSchemas) }
    const plan = asksForSchema(operation) ? undefined : planOf(operation)
    const service = plan && serviceOf(operation, plan)
    if (service === undefined) keepPlanned(operation, plan)
    return { service }
  }

  return {
    planOf,
    isPlanned: (operation) => {
      const decision = decided.get(operation) ?? decisions.get(keyOf(operation))
      return decision !== undefined && (decision.service !== undefined || planned.has(keyOf(operation)))
    },
    plannedOf: (operation) => {
      const known = planned.get(keyOf(operation))
      if (known) return known.planned
      return keepPlanned(operation, asksForSchema(operation) ? undefined : planOf(operation))
    },
    singleSubgraphOf: (operation) => {
      const known = decided.get(operation)
      if (known) return known.service
      const key = keyOf(operation)
      const decision = decisions.get(key) ?? decide(operation)
      decisions.set(key, decision)
      decided.set(operation, decision)
      return decision.service
    },
  }
}

/**
 * The subgraph that answers an operation of the product's own. Root fields are of one subgraph each, so no two can.
 * @throws Error where none can: our own mistake
 */
function ownServiceOf(
  { document, operationName }: PreparedOperation,
  subgraphSchemas: Readonly<Record<string, GraphQLSchema>>,
): string {
  const own = Object.entries(subgraphSchemas).find(([, schema]) => validate(schema, document).length === 0)
  if (!own) throw new Error(`no subgraph answers ${operationName ?? 'an operation'} of our own`)
  return own[0]
}

/** A client may send the text of one of our own, and is not to be taken for us. */
function keyOf({ hash, operationName = '', isOwn }: PreparedOperation): string {
  return `${hash}:${operationName}${isOwn ? ':own' : ''}`
}
