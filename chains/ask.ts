import { AppError } from '../kernel/errors.js'

/** What an RPC is asked for; it decides which error a caller sees when the RPC fails. */
export type RpcPurpose = 'build' | 'confirm'

/** Why a reading call failed, on whatever chain. The reason is short and holds no URL. */
export interface ReadFailure {
  kind: 'refused' | 'unavailable' | 'timeout'
  reason: string
}

/**
 * Runs one reading call, once more where it got no usable answer (a kept-alive connection that the node has closed looks
 * like this).
 * @param failureOf what a failed call means; undefined where the error is not the RPC's
 * @param isWorthRepeating whether a call that failed so may have an answer now
 * @throws AppError `provider_unavailable` or `provider_timeout` (build), `confirm_rpc_unavailable` (confirm); errors that
 *   are not the RPC's pass through
 */
export async function askTwice<T, Failure extends ReadFailure>(
  purpose: RpcPurpose,
  call: () => Promise<T>,
  failureOf: (error: unknown) => Failure | undefined,
  isWorthRepeating: (failure: Failure) => boolean,
): Promise<T> {
  try {
    return await call().catch((error: unknown) => {
      const failure = failureOf(error)
      if (failure && isWorthRepeating(failure)) return call()
      throw error
    })
  } catch (error) {
    const failure = failureOf(error)
    throw failure ? readError(purpose, failure) : error
  }
}

/** The error that a caller sees for a failed reading call. */
function readError(purpose: RpcPurpose, { kind, reason }: ReadFailure): AppError {
  if (purpose === 'confirm') return new AppError('confirm_rpc_unavailable', { details: reason })
  return new AppError(kind === 'timeout' ? 'provider_timeout' : 'provider_unavailable', { details: reason })
}

/**
 * The first line of a node's message, without URLs, at most 200 characters. A contract may have put anything into it: PostgreSQL stores no
 * text that holds a NUL, and other control characters do no good to who reads it.
 */
export function shortReason(message: string): string {
  const [line = ''] = message.split('\n')
  const shown = line.replace(/\p{Cc}+/gu, ' ')
  return shown.replace(/\b\w+:\/\/\S+/g, '[url]').slice(0, 200)
}
