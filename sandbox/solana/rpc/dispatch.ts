import type { Bank } from '../bank.js'
import { accountMethods } from './account-methods.js'
import { clusterMethods } from './cluster-methods.js'
import { historyMethods } from './history-methods.js'
import { RpcError } from './rpc-error.js'
import { transactionMethods } from './transaction-methods.js'

/**
 * Answers one HTTP body of JSON-RPC 2.0, a call or a batch of calls. A notification (a call without an id) gets no answer.
 * @returns what to send as JSON; undefined where nothing is to be sent
 */
export function createDispatch(bank: Bank): (body: unknown) => unknown {
  const methods = new Map(
    Object.entries({
      ...clusterMethods(bank),
      ...accountMethods(bank),
      ...transactionMethods(bank),
      ...historyMethods(bank),
    }),
  )
  const answerOne = (call: unknown): object | undefined => {
    const { jsonrpc, id = null, method, params = [] } = (call ?? {}) as Readonly<Record<string, unknown>>
    if (jsonrpc !== '2.0' || typeof method !== 'string') return failure(id, new RpcError(-32600, 'Invalid request'))
    if (!Array.isArray(params)) return failure(id, new RpcError(-32602, 'Invalid params: expected an array'))
    try {
      const run = methods.get(method)
      if (!run) throw new RpcError(-32601, 'Method not found')
      const result = run(params)
      return id === null ? undefined : { jsonrpc: '2.0', result, id }
    } catch (error) {
      return failure(id, error)
    }
  }
  return (body) => {
    if (!Array.isArray(body)) return answerOne(body)
    if (body.length === 0) return failure(null, new RpcError(-32600, 'Invalid request'))
    const answers = body.map(answerOne).filter((answer) => answer !== undefined)
    return answers.length === 0 ? undefined : answers
  }
}

/** The answer to a body that is not JSON. */
export function parseFailure(): object {
  return failure(null, new RpcError(-32700, 'Parse error'))
}

function failure(id: unknown, error: unknown): object {
  const known = error instanceof RpcError ? error : new RpcError(-32603, 'Internal error')
  const { code, message, data } = known
  return { jsonrpc: '2.0', error: { code, message, ...(data !== undefined && { data }) }, id }
}
