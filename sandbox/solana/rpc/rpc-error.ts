/** An error as a node's JSON-RPC answers it; codes are those of Agave's rpc-client-api (custom_error.rs). */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The caller's parameters are wrong. */
export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message)
}
