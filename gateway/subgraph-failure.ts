import { execute, GraphQLError, type GraphQLSchema } from 'graphql'
import { AppError } from '../kernel/errors.js'
import type { Logger } from '../kernel/log.js'
import type { RequestContext, SubgraphResult } from '../kernel/subgraph.js'
import type { PreparedOperation } from './operation.js'

/**
 * What a caller may see of something thrown while an operation ran: ours as it is, anything else as a `SERVER_ERROR` whose
 * cause is in the log.
 * @param subgraph whose failure it is; undefined where only the gateway knows
 */
export function failureOf(
  error: unknown,
  subgraph: string | undefined,
  { requestId }: RequestContext,
  log: Logger,
): GraphQLError {
  if (error instanceof AppError) return new GraphQLError(error.message, { extensions: error.extensions })
  log.error({ requestId, err: error, ...(subgraph !== undefined && { subgraph }) }, 'an operation failed')
  return new GraphQLError(`Something went wrong on our side (request ${requestId}).`, {
    extensions: { code: 'SERVER_ERROR' },
  })
}

/**
 * The answer of an operation whose only subgraph failed: nothing where each root field would be, as the gateway's own plan
 * has it, and one error.
 */
export async function answerWithout(
  schema: GraphQLSchema,
  { document, operationName }: PreparedOperation,
  variableValues: Record<string, unknown>,
  error: GraphQLError,
): Promise<SubgraphResult> {
  // Of an object without fields graphql-js makes null, and nothing at all where a root field is never null.
  const { data } = await execute({
    schema,
    document,
    rootValue: {},
    variableValues,
    operationName: operationName ?? null,
  })
  return { data: data ?? null, errors: [error] }
}

/**
 * The same errors whichever way they came: without places in documents that no client sent, without our parts' names, and
 * with a code where nothing was run, as the variables do not fit. No `data` at all is what says so.
 */
export function presentable(result: SubgraphResult, context: RequestContext, log: Logger): SubgraphResult {
  const { data, errors } = result
  if (!errors) return result
  const shown = errors.map((error) =>
    // What a fetch of the gateway threw stands among its errors as it is.
    isGraphqlError(error) ? presentableError(error, data === undefined) : failureOf(error, undefined, context, log),
  )
  return { ...(data !== undefined && { data }), errors: shown }
}

/** Not by its class: parts of the gateway have a graphql of their own, and plain objects pass for errors among them. */
function isGraphqlError(error: Partial<GraphQLError>): error is GraphQLError {
  return error.extensions !== undefined && !(error instanceof AppError)
}

function presentableError({ message, path, extensions }: GraphQLError, isOfVariables: boolean): GraphQLError {
  const { serviceName: _, ...visible } = extensions
  if (isOfVariables) visible['code'] ??= 'BAD_USER_INPUT'
  return new GraphQLError(message, { ...(path && { path }), extensions: visible })
}
