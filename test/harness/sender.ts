import { createHash } from 'node:crypto'
import { parse, type GraphQLError } from 'graphql'
import { payloadFailure, type PayloadError } from '../../gateway/payload-failure.js'
import type { FieldFailure } from '../../kernel/errors.js'
import type { SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Product } from '../../kernel/tenant.js'

/** An operation's outcome: its answer, or the code, message and fields of the error. */
export interface Outcome {
  answer: Record<string, unknown> | null
  code: unknown
  message: string | undefined
  fields: string[]
  replayed: boolean
}

/** Who sends an operation, and whether it is protected from repetition. */
export interface Send {
  tenantId?: string | null
  products?: readonly Product[]
  /** The integration whose key is used; the default one where left out. */
  publicClientId?: string
  /** The payment whose page asks; none where left out. */
  pageOf?: string
  idempotencyKey?: string
}

/** Sends the operations of one subgraph by their names. */
export interface Sender<Name extends string, Success = Record<string, unknown>> {
  send: (name: Name, variables: object, options?: Send) => Promise<Outcome>
  /** As `send`, for what must succeed. */
  must: (name: Name, variables: object, options?: Send) => Promise<Success>
}

/**
 * Sends operations to a subgraph past the gateway.
 * @param documents by name; each calls what it asks for `answer`, and a mutation what that is in `payload`
 * @param usual the products of a tenant, unless a test says otherwise
 */
export function senderTo<Name extends string, Success = Record<string, unknown>>(
  execute: SubgraphExecutor,
  documents: Readonly<Record<Name, string>>,
  usual: readonly Product[],
): Sender<Name, Success> {
  const send: Sender<Name>['send'] = async (name, variables, options = {}) => {
    const { tenantId = 'tenant', products = usual, idempotencyKey: key, publicClientId, pageOf } = options
    let replayed = false
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([name, variables]))
      .digest('hex')
    const onReplay = (): void => {
      replayed = true
    }
    const { data, errors } = await execute({
      document: parse(documents[name]),
      variables: { ...variables },
      context: {
        requestId: 'request',
        caller: {
          tenantId,
          keyId: 'key-of-test',
          products,
          ...(publicClientId !== undefined && { publicClientId }),
          ...(pageOf !== undefined && { pageOf }),
        },
        ...(key !== undefined && { idempotency: { key, fingerprint, onReplay } }),
      },
    })
    const payload = data?.['payload'] as Payload | null | undefined
    const failure = failureIn(errors?.[0]) ?? payloadFailure(payload?.errors ?? [])
    const fields = (failure?.errors ?? []).map(({ field }) => field)
    // What a client gets: JSON, without the prototypes that graphql-js leaves out.
    const answer = JSON.parse(JSON.stringify((payload ?? data)?.['answer'] ?? null)) as Outcome['answer']
    return { answer, code: failure?.code, message: failure?.message, fields, replayed }
  }
  const must: Sender<Name, Success>['must'] = async (name, variables, options) => {
    const { answer, code, message } = await send(name, variables, options)
    if (code !== undefined) throw new Error(`${name} answered ${String(code)}: ${message}`)
    return answer as Success
  }
  return { send, must }
}

interface Payload {
  errors: readonly PayloadError[]
  [field: string]: unknown
}

function failureIn(error: GraphQLError | undefined) {
  if (!error) return undefined
  const { code, errors } = error.extensions as { code?: string; errors?: readonly FieldFailure[] }
  return { code, message: error.message, errors }
}
