import type { ApolloServerOptionsWithGateway } from '@apollo/server'
import { GraphQLError } from 'graphql'
import { AppError } from '../../kernel/errors.js'
import type { Logger } from '../../kernel/log.js'
import type { SupergraphExecutor } from '../supergraph.js'
import type { Admission } from '../admission.js'
import type { GraphqlContext } from './context.js'
import { refusalOf } from './errors.js'
import { withoutValues } from './variable-errors.js'

type Gateway = ApolloServerOptionsWithGateway<GraphqlContext>['gateway']
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>

/**
 * The supergraph as Apollo Server asks for it: what Apollo has parsed, validated and hashed is run as it is. An unexpected
 * failure becomes `SERVER_ERROR` with the request's id, and goes to the log.
 */
export function graphOf(supergraph: SupergraphExecutor, admission: Admission, log: Logger): Gateway {
  const executor: Executor = async ({ document, source, queryHash, operation, operationName, request, context }) => {
    // Apollo asks for the reason of an operation that it did not find.
    if (!operation as boolean) return { errors: [unknownOperation(request.operationName)] }
    const { run, request: asked } = context as unknown as GraphqlContext
    if (!run) throw new Error('an operation got past its checks')
    const variables = request.variables ?? {}
    const prepared = {
      document,
      source,
      operationName: operationName ?? undefined,
      kind: operation.operation,
      hash: queryHash,
    }
    try {
      const weighed = { kind: operation.operation, weight: run.weight, ...supergraph.placeOf(prepared) }
      const { data, errors } = await admission.run(weighed, run.context, (context) =>
        supergraph.execute(prepared, variables, context),
      )
      if (data === undefined)
        return {
          ...(errors && { errors: withoutValues(errors, supergraph.apiSchema, { document, operation }, variables) }),
        }
      return { data, ...(errors && { errors: visibleErrors(errors, asked.requestId, log) }) }
    } catch (error) {
      return { errors: [error instanceof AppError ? refusalOf(error) : failed(error, asked.requestId, log)] }
    }
  }
  return {
    load: () => Promise.resolve({ executor }),
    onSchemaLoadOrUpdate: (loaded) => {
      loaded({ apiSchema: supergraph.apiSchema, coreSupergraphSdl: supergraph.sdl })
      return () => undefined
    },
    // The code that started the supergraph stops it.
    stop: () => Promise.resolve(),
  }
}

/** The errors of an operation that was run, as a caller may see them: unexpected ones go to the log. */
export function visibleErrors(errors: readonly GraphQLError[], requestId: string, log: Logger): GraphQLError[] {
  return errors.map((error) => (isExpected(error) ? error : failed(error, requestId, log)))
}

/** The codes of unexpected failures, as Apollo's parts name them. */
const UNFORESEEN = ['INTERNAL_SERVER_ERROR', 'DOWNSTREAM_SERVICE_ERROR']

function isExpected({ extensions }: GraphQLError): boolean {
  const code = extensions['code']
  return typeof code === 'string' && !UNFORESEEN.includes(code)
}

function failed(error: unknown, requestId: string, log: Logger): GraphQLError {
  log.error({ requestId, err: error }, 'an operation failed')
  const path = error instanceof GraphQLError ? error.path : undefined
  return new GraphQLError(`Something went wrong on our side (request ${requestId}).`, {
    ...(path && { path }),
    extensions: { code: 'SERVER_ERROR' },
  })
}

function unknownOperation(name: string | undefined): GraphQLError {
  return new GraphQLError(
    name === undefined
      ? 'Must provide operation name if query contains multiple operations.'
      : `Unknown operation named "${name}".`,
  )
}
