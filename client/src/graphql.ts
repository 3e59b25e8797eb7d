import { CallError } from './api-error.js'
import type { CallOptions } from './call.js'
import { isObject } from './failure.js'
import { isOpenCode } from './outcome.js'
import { sendPatiently, type Transport } from './send.js'

/** One error of a GraphQL answer. */
export interface GraphqlFailure {
  message: string
  /** The code of the table of errors, in capitals. */
  code: string | undefined
  path: readonly (string | number)[]
}

/** A GraphQL answer with errors; `data` is what there is beside them. */
export class GraphqlError extends CallError {
  override readonly name = 'GraphqlError'
  constructor(
    readonly errors: readonly GraphqlFailure[],
    readonly data: unknown,
    idempotencyKey?: string,
  ) {
    super(errors[0]?.message ?? 'The document could not be run.')
    this.idempotencyKey = idempotencyKey
    this.mayHaveHappened = errors.some(({ code }) => code === undefined || isOpenCode(code.toLowerCase()))
  }
}

/**
 * Runs a GraphQL document. A mutation carries an idempotency key, like a writing request of REST.
 * @throws GraphqlError, ApiError, ConnectionError
 */
export async function runGraphql<Data>(
  transport: Transport,
  document: string,
  variables: object,
  options: CallOptions,
): Promise<Data> {
  const idempotencyKey = options.idempotencyKey ?? transport.newId()
  const { body } = await sendPatiently(
    transport,
    {
      method: 'POST',
      path: '/graphql',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ query: document, variables }),
    },
    options,
  )
  const { data, errors } = isObject(body) ? body : {}
  if (Array.isArray(errors) && errors.length > 0) throw new GraphqlError(errors.map(failureOf), data, idempotencyKey)
  return data as Data
}

function failureOf(error: unknown): GraphqlFailure {
  const { message, path, extensions } = isObject(error) ? error : {}
  const code = isObject(extensions) ? extensions['code'] : undefined
  return {
    message: String(message),
    code: typeof code === 'string' ? code : undefined,
    path: Array.isArray(path) ? (path as (string | number)[]) : [],
  }
}
