import { createHash } from 'node:crypto'
import { parse } from 'graphql'
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
 * @param documents by name; each calls what it asks for `answer`
 * @param usual the products of a tenant, unless a test says otherwise
 */
export function senderTo<Name extends string, Success = Record<string, unknown>>(
  execute: SubgraphExecutor,
  documents: Readonly<Record<Name, string>>,
  usual: readonly Product[],
): Sender<Name, Success> {
  const send: Sender<Name>['send'] = async (name, variables, options = {}) => {
    const { tenantId = 'tenant', products = usual, idempotencyKey: key } = options
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
        caller: { tenantId, keyId: 'key-of-test', products },
        ...(key !== undefined && { idempotency: { key, fingerprint, onReplay } }),
      },
    })
    const [error] = errors ?? []
    const fields = ((error?.extensions['errors'] ?? []) as { field: string }[]).map(({ field }) => field)
    // What a client gets: JSON, without the prototypes that graphql-js leaves out.
    const answer = JSON.parse(JSON.stringify(data?.['answer'] ?? null)) as Outcome['answer']
    return { answer, code: error?.extensions['code'], message: error?.message, fields, replayed }
  }
  const must: Sender<Name, Success>['must'] = async (name, variables, options) => {
    const { answer, code, message } = await send(name, variables, options)
    if (code !== undefined) throw new Error(`${name} answered ${String(code)}: ${message}`)
    return answer as Success
  }
  return { send, must }
}
