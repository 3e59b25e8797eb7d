import { ApiError, ConnectionError } from './api-error.js'

/** Codes after which it is not known whether a writing call was done. */
const OPEN = new Set([
  'idempotency_in_progress',
  'server_error',
  'server_failed',
  'internal_server_error',
  'provider_unavailable',
  'provider_timeout',
  'broadcast_rpc_unavailable',
  'broadcast_confirmation_timeout',
  'confirm_rpc_unavailable',
])

/** Whether a failure of this code leaves open what became of a writing call. */
export function isOpenCode(code: string): boolean {
  return OPEN.has(code)
}

/** Whether what was asked for may have been done, though one try ended with this error. */
export function mayBeDone(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError)) return false
  return error.httpStatus >= 500 || isOpenCode(error.code)
}
