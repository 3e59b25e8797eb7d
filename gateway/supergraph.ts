import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApolloGateway } from '@apollo/gateway'
import federation from '@apollo/federation-internals'
import { buildSubgraphSchema } from '@apollo/subgraph'
import type { QueryPlan } from '@apollo/query-planner'
import { GraphQLError, parse, type GraphQLSchema } from 'graphql'
import { ANSWER_MAX_BYTES, isLargerThan } from '../kernel/answer-size.js'
import { AppError } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'
import type { RequestContext, SubgraphExecutor, SubgraphRequest, SubgraphResult } from '../kernel/subgraph.js'
import { memoize } from '../kernel/memoize.js'
import { recovering, whenThere, type PromiseOrValue } from '../kernel/promise-or-value.js'
import { projectRoot } from '../kernel/root.js'
import { attachScalars } from '../kernel/scalars.js'
import { withoutDefinitions } from '../kernel/without-definitions.js'
import { isWide, variableErrors } from './check-variables.js'
import { dataSource } from './data-source.js'
import { readQueryCosts, type QueryCosts } from './graphql/query-costs.js'
import { answerOfSchema, besideSchema, readsSchemaAlone } from './introspection.js'
import type { PreparedOperation } from './operation.js'
import { alwaysAsked, withoutAdded } from './plan/always-asked.js'
import { resolvableKeysFirst } from './plan/resolvable-keys.js'
import { singleSubgraphPlanner, type Plans } from './single-subgraph.js'
import { answerWithout, failureOf, presentable } from './subgraph-failure.js'

/** Runs operations over the whole supergraph. */
export interface SupergraphExecutor {
  /** What clients may query. */
  apiSchema: GraphQLSchema
  /** What it says of its costs. */
  costs: QueryCosts
  /** The composed supergraph. */
  sdl: string
  /**
   * The quickest way to the answer: one subgraph where it suffices, otherwise the gateway's plan. A subgraph that fails leaves null
   * where its fields are, and an error with its code; an answer that is too large is refused before it becomes text.
   */
  execute: (
    operation: PreparedOperation,
    variables: Record<string, unknown>,
    context: RequestContext,
  ) => PromiseOrValue<SubgraphResult>
  /** Always through the gateway; the answer that `execute` has to equal. */
  executeByGateway: SupergraphExecutor['execute']
  /** What a valid operation waits by: the subgraph that answers it alone, or one name for all that take several, and whether that is known. */
  placeOf: (operation: PreparedOperation) => { lane: () => string; isPlanned: () => boolean }
  /** How a valid operation would be answered: the gateway's plan, and the subgraph that would answer alone. */
  plan: (operation: PreparedOperation) => { queryPlan: QueryPlan; alone: string | undefined }
  stop: () => Promise<void>
}

/**
 * Loads the committed supergraph over the given subgraphs, which may be in this process or in others.
 * @throws when a subgraph of the supergraph is not given
 */
export function loadSupergraph(subgraphs: Readonly<Record<string, SubgraphExecutor>>, log: Logger): SupergraphExecutor {
  return openGraph(committedGraph(Object.keys(subgraphs).join(' ')), subgraphs, log)
}

/** A composed supergraph. */
export interface ComposedGraph {
  supergraphSdl: string
  /** The schemas that it was composed of, by the subgraphs' names. */
  schemas: Readonly<Record<string, GraphQLSchema>>
}

/** What follows from a composed supergraph alone. */
interface ReadGraph extends Plans {
  supergraphSdl: string
  subgraphNames: readonly string[]
  apiSchema: GraphQLSchema
  costs: QueryCosts
}

function readGraph({ supergraphSdl, schemas }: ComposedGraph): ReadGraph {
  // Of a text it would keep where each word of it stands.
  const supergraph = federation.Supergraph.build(parse(resolvableKeysFirst(supergraphSdl), { noLocation: true }))
  const apiSchema = withoutDefinitions(supergraph.apiSchema().toGraphQLJSSchema())
  attachScalars(apiSchema)
  const plans = singleSubgraphPlanner(supergraph, apiSchema, schemas)
  const subgraphNames = [...supergraph.subgraphsMetadata()].map(({ name }) => name)
  return { ...plans, supergraphSdl, subgraphNames, apiSchema, costs: readQueryCosts(supergraphSdl) }
}

/** The committed supergraph over subgraphs of these names; it takes a quarter of a second to read, and a process may run it several times. */
const committedGraph = memoize(2, (names: string) =>
  readGraph({ supergraphSdl: readSchema('supergraph.graphql'), schemas: schemasOf(names.split(' ')) }),
)

/**
 * As `loadSupergraph`, for any supergraph.
 * @throws when a subgraph of the supergraph is not given
 */
export function openSupergraph(
  composed: ComposedGraph,
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  log: Logger,
): SupergraphExecutor {
  return openGraph(readGraph(composed), subgraphs, log)
}

function openGraph(
  graph: ReadGraph,
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  log: Logger,
): SupergraphExecutor {
  const { supergraphSdl, apiSchema, costs, singleSubgraphOf, plannedOf, isPlanned, planOf } = graph
  for (const name of graph.subgraphNames) executorNamed(subgraphs, name)
  const subgraph = subgraphRunner(subgraphs, log)
  const gateway = gatewayWhenAsked(supergraphSdl, subgraph)

  const executeByGateway: SupergraphExecutor['execute'] = async (operation, variables, context) => {
    const refused = variableErrors(apiSchema, operation, variables)
    if (refused) return presentable({ errors: refused }, context, log)
    const { operation: asked, added } = alwaysAsked(operation)
    const { document, source, operationName, hash } = asked
    const execute = await gateway.load()
    const result = await execute({
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
    const answer = result as SubgraphResult
    return presentable(added === undefined ? answer : withoutAdded(answer, added), context, log)
  }

  const executePlanned: SupergraphExecutor['execute'] = async (operation, variables, context) => {
    const refused = variableErrors(apiSchema, operation, variables)
    if (refused) return presentable({ errors: refused }, context, log)
    const answer =
      plannedOf(operation)?.execute(subgraph, variables, context) ??
      (readsSchemaAlone(operation) ? answerOfSchema(apiSchema, operation, variables) : undefined)
    return answer ? presentable(await answer, context, log) : executeByGateway(operation, variables, context)
  }

  const executeWhole = besideSchema(apiSchema, (...execution) => {
    const [operation, variables, context] = execution
    // A subgraph would write an error with the whole value for each of fifty places that are wrong in it.
    const refused = isWide(variables) ? clientErrors(apiSchema, operation, variables) : undefined
    if (refused) return presentable({ errors: refused }, context, log)
    const service = singleSubgraphOf(operation)
    return service === undefined
      ? executePlanned(...execution)
      : executeIn(service, execution, { subgraphs, apiSchema, log })
  })

  return {
    apiSchema,
    costs,
    sdl: supergraphSdl,
    executeByGateway,
    placeOf: (operation) => ({
      lane: () => singleSubgraphOf(operation) ?? 'gateway',
      isPlanned: () => isPlanned(operation),
    }),
    plan: (operation) => ({ queryPlan: planOf(operation), alone: singleSubgraphOf(operation) }),
    execute: (...execution) =>
      whenThere(executeWhole(...execution), (result) =>
        isLargerThan(result.data, ANSWER_MAX_BYTES) ? { data: null, errors: [tooLarge()] } : result,
      ),
    stop: () => gateway.stop(),
  }
}

type GatewayExecutor = Awaited<ReturnType<ApolloGateway['load']>>['executor']

/**
 * Apollo's gateway, once something is asked of it: it reads the supergraph and builds a planner of its own. Few documents need it: nearly
 * all are answered by the plans that are kept here (ADR 60, ADR 76), or by graphql-js.
 */
function gatewayWhenAsked(supergraphSdl: string, subgraph: ReturnType<typeof subgraphRunner>) {
  let loaded: Promise<{ gateway: ApolloGateway; executor: GatewayExecutor }> | undefined
  const load = async () => {
    // With what it brings along it takes 20 MB.
    const { ApolloGateway } = await import('@apollo/gateway')
    const gateway = new ApolloGateway({
      supergraphSdl: resolvableKeysFirst(supergraphSdl),
      // Exceptions have texts, and a trace leaves the house.
      telemetry: { includeDocument: false, recordExceptions: false },
      buildService: ({ name }) => dataSource((request) => subgraph(name, request)),
    })
    const { executor } = await gateway.load()
    // The gateway checks variables too, and would know nothing of our scalars.
    if (gateway.schema) attachScalars(gateway.schema)
    return { gateway, executor }
  }
  return {
    load: async (): Promise<GatewayExecutor> => {
      loaded ??= load().catch((error: unknown) => {
        // The next document tries again.
        loaded = undefined
        throw error
      })
      return (await loaded).executor
    },
    stop: async (): Promise<void> => (await loaded?.catch(() => undefined))?.gateway.stop(),
  }
}

type Execution = Parameters<SupergraphExecutor['execute']>

/** What is wrong with a client's variables. The API does not know all that the product's own may hold: what read them has judged them. */
function clientErrors(...given: Parameters<typeof variableErrors>): ReturnType<typeof variableErrors> {
  const [, { isOwn }] = given
  return isOwn ? undefined : variableErrors(...given)
}

/** Runs an operation in one subgraph, past the planner. */
function executeIn(
  name: string,
  [operation, variables, context]: Execution,
  on: { subgraphs: Readonly<Record<string, SubgraphExecutor>>; apiSchema: GraphQLSchema; log: Logger },
): PromiseOrValue<SubgraphResult> {
  const { document, operationName } = operation
  const answer = (): PromiseOrValue<SubgraphResult> => {
    const execute = executorNamed(on.subgraphs, name)
    return whenThere(execute({ document, operationName, variables, context }), (result) =>
      presentable(result, context, on.log),
    )
  }
  return recovering(answer, (error) => {
    const failure = failureOf(error, name, context, on.log)
    // Variables that do not fit are the caller's own fault, whether the subgraph is there or not; the planner says so first.
    const refused = clientErrors(on.apiSchema, operation, variables)
    if (refused) return presentable({ errors: refused }, context, on.log)
    return answerWithout(on.apiSchema, operation, variables, failure)
  })
}

/**
 * Runs operations in a subgraph by its name.
 * @throws (the function returned) GraphQLError of whatever the subgraph throws; the gateway shows it next to the data of the
 *   other subgraphs
 */
function subgraphRunner(
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  log: Logger,
): (name: string, request: SubgraphRequest) => Promise<SubgraphResult> {
  return async (name, request) => {
    try {
      return await executorNamed(subgraphs, name)(request)
    } catch (error) {
      throw failureOf(error, name, request.context, log)
    }
  }
}

function executorNamed(subgraphs: Readonly<Record<string, SubgraphExecutor>>, name: string): SubgraphExecutor {
  const execute = subgraphs[name]
  if (!execute) throw new Error(`the supergraph names a subgraph that is not there: ${name}`)
  return execute
}

function schemasOf(names: readonly string[]): Record<string, GraphQLSchema> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      withoutDefinitions(buildSubgraphSchema(parse(readSchema(`subgraphs/${name}.graphql`), { noLocation: true }))),
    ]),
  )
}

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

function readSchema(file: string): string {
  return readFileSync(join(projectRoot, 'schema', file), 'utf8')
}

function tooLarge(): GraphQLError {
  const { message, extensions } = new AppError('answer_too_large')
  return new GraphQLError(message, { extensions })
}
