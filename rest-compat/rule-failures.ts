import { prepareOperation } from '../gateway/operation.js'
import { FAILURES_MAX, type FieldFailure } from '../kernel/errors.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'
import type { RestOperation } from './operation.js'
import { changeValues } from './other-values.js'
import { restPath } from './read-input.js'
import type { Route } from './route.js'

/** The variables as REST has them, as far as their form was good, and what is wrong. */
export interface ReadVariables {
  variables: Record<string, unknown>
  failures: FieldFailure[]
  /** See `readValue`. */
  outOfRange: FieldFailure[]
}

const FAILURES_OF: Readonly<Record<string, ReturnType<typeof prepareOperation>>> = Object.fromEntries(
  ['payments', 'orders'].map((subgraph) => [
    subgraph,
    prepareOperation(
      `query InputFailures($operation: String!, $input: JSON!) { failures: ${subgraph}InputFailures(operation: $operation, input: $input) { field message } }`,
    ),
  ]),
)

/**
 * All failures of a body or a query are listed at once: where its form is bad, the subgraph tells which of its rules the rest of the
 * body breaks too.
 */
export async function withRuleFailures(
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  { subgraph }: Pick<Route, 'subgraph'>,
  context: RequestContext,
  operation: RestOperation,
  { variables, failures, outOfRange }: ReadVariables,
): Promise<FieldFailure[]> {
  const document = FAILURES_OF[subgraph]?.document
  const execute = subgraphs[subgraph]
  if (!document || !execute || failures.length >= FAILURES_MAX) return failures
  changeValues(variables, operation.otherInputs)
  const result = await execute({
    document,
    variables: { operation: operation.name, input: variables['input'] ?? variables },
    context,
  })
  const told = toldOfNumbers((result.data?.['failures'] ?? []) as FieldFailure[], outOfRange)
  const rules = told.map(({ field, message }) => ({ field: restPath(field), message }))
  const named = new Set(failures.map(({ field }) => field))
  return [...failures, ...rules.filter(({ field }) => !named.has(field))]
}

/** What the graph tells of fields, in REST's words where a number is out of range: the graph was sent another (see `textFor`). */
export function toldOfNumbers(told: readonly FieldFailure[], outOfRange: readonly FieldFailure[]): FieldFailure[] {
  const words = new Map(outOfRange.map(({ field, message }) => [field, message]))
  return told.map(({ field, message }) => ({ field, message: words.get(restPath(field)) ?? message }))
}
