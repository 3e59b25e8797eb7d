import { GraphQLError, type ExecutionResult, type GraphQLSchema } from 'graphql'
import type { AuditLog } from './audit.js'
import { compiledExecute } from './compiled/compiled-execute.js'
import { AppError } from './errors.js'
import { invalidTextError } from './invalid-text-error.js'
import { logCause, type Logger } from './log.js'
import { whenThere } from './promise-or-value.js'
import type { RequestContext, SubgraphContext, SubgraphExecutor, SubgraphResult } from './subgraph.js'
import { yieldingResolver } from './yielding.js'

/**
 * An executor that runs operations in this process.
 * @param depsOf makes the dependencies of one request (loaders are per request)
 * @param audit where mutations are written down; left out where a subgraph runs by itself
 */
export function localExecutor<Deps>(
  schema: GraphQLSchema,
  depsOf: (context: RequestContext) => Deps,
  log: Logger,
  audit?: AuditLog,
): SubgraphExecutor {
  const execute = compiledExecute(schema)
  return ({ document, operationName, variables, context }) => {
    const invalid = invalidTextError(document, variables, operationName)
    if (invalid) return { errors: [invalid] }
    const newDeps = (): Deps => depsOf(context)
    const contextValue: SubgraphContext<Deps> = { ...context, deps: newDeps(), newDeps, log, ...(audit && { audit }) }
    const result = execute({
      document,
      contextValue,
      operationName: operationName ?? null,
      variableValues: variables ?? null,
      ...(context.yieldsToOthers && { fieldResolver: yieldingResolver() }),
    })
    return whenThere(result, (there) => safeResult(there, context, log))
  }
}

/** A result with what a caller may see of its errors. */
function safeResult(result: ExecutionResult, context: RequestContext, log: Logger): SubgraphResult {
  if (!result.errors) return result as SubgraphResult
  const errors = result.errors.map((error) => safeError(error, context, log))
  // No `data` at all says that nothing was run, e.g. for a variable of the wrong type.
  return { ...(result.data !== undefined && { data: result.data }), errors }
}

/**
 * What a caller may see of an error: ours and GraphQL's own as they are; anything else is logged and becomes
 * `SERVER_ERROR` with the request's id, so that no stack, statement or address leaves the process.
 */
function safeError(error: GraphQLError, context: RequestContext, log: Logger): GraphQLError {
  const cause = error.originalError
  if (cause instanceof AppError) {
    logCause(cause, context.requestId, log)
    return error
  }
  if (cause === undefined || cause instanceof GraphQLError) {
    return error.extensions['code']
      ? error
      : withExtensions(error, error.message, { ...error.extensions, code: 'BAD_USER_INPUT' })
  }
  log.error({ requestId: context.requestId, err: cause }, 'a resolver failed')
  return withExtensions(error, `Something went wrong on our side (request ${context.requestId}).`, {
    code: 'SERVER_ERROR',
  })
}

/** The same error at the same place, with another message and other extensions, and nothing of its cause. */
function withExtensions(error: GraphQLError, message: string, extensions: Record<string, unknown>): GraphQLError {
  const { nodes, path } = error
  return new GraphQLError(message, { ...(nodes && { nodes }), ...(path && { path }), extensions })
}
