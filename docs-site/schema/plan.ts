import { prettyFormatQueryPlan, type PlanNode, type QueryPlan } from '@apollo/query-planner'
import { getOperationAST, GraphQLError, parse, validate } from 'graphql'
import { measureQuery, type QueryMeasure } from '../../gateway/graphql/measure-query.js'
import { checkLimits, QUERY_LIMITS } from '../../gateway/graphql/query-limits.js'
import { repeatsProblem } from '../../gateway/graphql/repeats.js'
import { preparedFrom } from '../../gateway/operation.js'
import type { SupergraphExecutor } from '../../gateway/supergraph.js'

/** What the page shows of a graph, and plans with. */
export type ShownGraph = Pick<SupergraphExecutor, 'apiSchema' | 'costs' | 'sdl' | 'plan'>

/** One question to a subgraph. */
export interface PlannedFetch {
  subgraph: string
  /** Where in the answer its part goes; empty at the root. */
  path: string
  /** Whether it waits for what another one answers. */
  isOfEntities: boolean
}

/** How an operation is answered, and what it costs. */
export interface PlannedOperation {
  fetches: readonly PlannedFetch[]
  /** As the planner prints it. */
  text: string
  /** The subgraph that answers alone, past the planner; undefined where it takes more than one step. */
  alone: string | undefined
  measure: QueryMeasure
}

/** Why an operation is not planned. */
export interface NotPlanned {
  problems: readonly string[]
}

/** A document that is longer is none that a person pastes, and an address would not carry it. */
export const DOCUMENT_MAX = 6_000
/** Planning is the dearest thing that can be asked without a key: the product's own documents have some fifty fields. */
const FIELDS_MAX = 400
/** The same of what `@skip` and `@include` decide, counted as the limits of a query count it. */
const CONDITIONS_MAX = 40
const PROBLEMS_SHOWN = 5

/**
 * Plans an operation as the gateway would, without running it.
 * @param source a document of one operation; lists whose length a variable says are taken as long as the schema says
 */
export function planOperation({ apiSchema, costs, plan }: ShownGraph, source: string): PlannedOperation | NotPlanned {
  if (source.length > DOCUMENT_MAX)
    return { problems: [`It is too long: what has more than ${DOCUMENT_MAX} characters is not planned here.`] }
  try {
    const document = parse(source, { maxTokens: QUERY_LIMITS.tokens })
    const repeated = repeatsProblem(document)
    if (repeated !== undefined) return { problems: [repeated] }
    const errors = validate(apiSchema, document, undefined, { maxErrors: PROBLEMS_SHOWN })
    if (errors.length > 0) return { problems: errors.slice(0, PROBLEMS_SHOWN).map(({ message }) => message) }
    const definition = getOperationAST(document)
    if (!definition) return { problems: ['It has to be exactly one operation.'] }
    const measure = measureQuery({ schema: apiSchema, costs }, document, definition, {})
    checkLimits(measure)
    if (measure.fields > FIELDS_MAX) return { problems: [`It has more than ${FIELDS_MAX} fields.`] }
    if (measure.conditions > CONDITIONS_MAX)
      return { problems: [`It has more than ${CONDITIONS_MAX} @skip and @include, each counted for those around it.`] }
    const { queryPlan, alone } = plan(preparedFrom(source, document, definition))
    return { fetches: fetchesOf(queryPlan), text: prettyFormatQueryPlan(queryPlan), alone, measure }
  } catch (error) {
    // What the document is to blame for is said; anything else is a fault of ours, and answered as one.
    if (error instanceof GraphQLError) return { problems: [error.message] }
    throw error
  }
}

function fetchesOf({ node }: QueryPlan): PlannedFetch[] {
  if (node?.kind !== 'Subscription') return node ? within(node, '') : []
  return [...within(node.primary, ''), ...(node.rest ? within(node.rest, '') : [])]
}

function within(node: PlanNode, path: string): PlannedFetch[] {
  switch (node.kind) {
    case 'Fetch':
      return [{ subgraph: node.serviceName, path, isOfEntities: node.requires !== undefined }]
    case 'Flatten':
      return within(node.node, node.path.join('.'))
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap((one) => within(one, path))
    case 'Condition':
      return [node.ifClause, node.elseClause].flatMap((one) => (one ? within(one, path) : []))
    case 'Defer':
      // The API has no `@defer`.
      return []
  }
}
