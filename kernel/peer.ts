import type { DocumentNode } from 'graphql'
import { AppError, isErrorCode } from './errors.js'
import type { RequestContext, SubgraphExecutor } from './subgraph.js'

/**
 * Asks another subgraph on behalf of the request's caller. A peer only reads: it never gets the idempotency key.
 * @throws AppError with the peer's own code where it is of the table, an Error otherwise
 */
export async function askPeer<Data>(
  execute: SubgraphExecutor,
  document: DocumentNode,
  variables: Record<string, unknown>,
  { caller, requestId }: RequestContext,
): Promise<Data> {
  const { data, errors } = await execute({ document, variables, context: { caller, requestId } })
  const [error] = errors ?? []
  if (error) {
    const code = String(error.extensions['code']).toLowerCase()
    throw isErrorCode(code) ? new AppError(code, { message: error.message }) : error
  }
  if (!data) throw new Error('a peer answered nothing')
  return data as Data
}
