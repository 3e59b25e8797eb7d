import type { FetchNode, PlanNode } from '@apollo/query-planner'
import { GraphQLError, type DocumentNode } from 'graphql'
import type { RequestContext, SubgraphRequest, SubgraphResult } from '../../kernel/subgraph.js'
import { flatten, merge, placesAt, representationOf, type MemberTypes, type Path, type Values } from './entities.js'
import { own } from './shape-answer.js'

/** One run of a plan. */
export interface PlanRun {
  /** With all that subgraphs know, hidden or not. */
  memberTypes: MemberTypes
  /** What each fetch asks, parsed once for all runs. */
  documents: ReadonlyMap<FetchNode, DocumentNode>
  ask: (subgraph: string, request: SubgraphRequest) => Promise<SubgraphResult>
  variables: Readonly<Values>
  /** The values that `@skip` and `@include` ask for. */
  flags: Readonly<Record<string, boolean>>
  /** What the client calls the fields that have other names in the plan. */
  clientNames: ReadonlyMap<string, string>
  context: RequestContext
  /** What subgraphs have answered so far, put together. */
  data: Values
  errors: GraphQLError[]
}

/** Where a node of the plan is at work: one object, or all those that a path through lists leads to. */
interface Cursor {
  path: Path
  at: unknown
}

/**
 * Runs a node of a plan: its fetches one after the other or beside each other, each put into the data where it belongs. What a subgraph
 * fails at is among the errors, and the rest goes on.
 */
export async function runNode(run: PlanRun, node: PlanNode, cursor: Cursor): Promise<void> {
  switch (node.kind) {
    case 'Sequence':
      for (const one of node.nodes) await runNode(run, one, cursor)
      return
    case 'Parallel':
      await Promise.all(node.nodes.map((one) => runNode(run, one, cursor)))
      return
    case 'Flatten': {
      const at = flatten(cursor.at, node.path)
      if (at) await runNode(run, node.node, { path: [...cursor.path, ...node.path], at })
      return
    }
    case 'Condition': {
      const branch = run.flags[node.condition] === true ? node.ifClause : node.elseClause
      if (branch) await runNode(run, branch, cursor)
      return
    }
    case 'Fetch':
      await runFetch(run, node, cursor).catch((error: unknown) => run.errors.push(error as GraphQLError))
      return
    case 'Defer':
      throw new Error('nothing is deferred here')
  }
}

async function runFetch(run: PlanRun, fetch: FetchNode, cursor: Cursor): Promise<void> {
  const entities = (Array.isArray(cursor.at) ? cursor.at : [cursor.at]).filter((one) => one != null) as Values[]
  if (entities.length === 0) return
  const { requires } = fetch
  if (!requires) {
    const data = await send(run, fetch, cursor, {})
    for (const entity of entities) merge(entity, data)
    return
  }
  const wanted: Values[] = []
  const representations: Values[] = []
  for (const entity of entities) {
    const representation = representationOf(run.memberTypes, entity, requires)
    if (!representation?.['__typename']) continue
    wanted.push(entity)
    representations.push(representation)
  }
  if (wanted.length === 0) return
  const data = await send(run, fetch, cursor, { representations })
  if (!data) return
  const received = data['_entities']
  if (!Array.isArray(received) || received.length !== wanted.length) {
    throw new Error(`${fetch.serviceName} has not answered ${wanted.length} of _entities`)
  }
  for (const [index, entity] of wanted.entries()) {
    const one = received[index] as Values | null
    if (one && !one['__typename']) one['__typename'] = entity['__typename']
    merge(entity, one)
  }
}

async function send(
  run: PlanRun,
  fetch: FetchNode,
  cursor: Cursor,
  added: { representations?: readonly Values[] },
): Promise<Values | null | undefined> {
  const variables: Values = {}
  for (const name of fetch.variableUsages ?? []) {
    const value = own(run.variables, name)
    if (value !== undefined) variables[name] = value
  }
  const document = run.documents.get(fetch)
  if (!document) throw new Error('a fetch is not of this plan')
  const { operationName, serviceName } = fetch
  const { data, errors } = await run.ask(serviceName, {
    document,
    operationName,
    variables: { ...variables, ...added },
    context: run.context,
  })
  if (errors) run.errors.push(...placed(run, fetch, cursor, errors))
  return data
}

/** Errors of a subgraph, at their places in the answer. One without a code has the one that Apollo gives it. */
function placed(run: PlanRun, fetch: FetchNode, cursor: Cursor, errors: readonly GraphQLError[]): GraphQLError[] {
  let places: Path[] | undefined
  const placeOf = (path: Path | undefined): Path | undefined => {
    const index = path?.[1]
    if (!fetch.requires || typeof index !== 'number') return path && [...cursor.path, ...path]
    places ??= placesAt(run.data, cursor.path)
    return [...(places[index] ?? []), ...(path ?? []).slice(2)]
  }
  return errors.map(({ message, path, extensions }) => {
    const place = placeOf(path)?.map((step) => run.clientNames.get(String(step)) ?? step)
    const shown = { code: 'DOWNSTREAM_SERVICE_ERROR', ...extensions }
    return new GraphQLError(message, { ...(place && { path: place }), extensions: shown })
  })
}
