import { AppError } from '../../kernel/errors.js'
import type { Logger } from '../../kernel/log.js'
import { ProviderError } from '../../kernel/provider-error.js'

/** What every remote signer is asked with. */
export interface SignerAccess {
  log: Logger
  /** `SIGNER_TIMEOUT_MS` if not given. */
  timeoutMs?: number
}

/** How long a signer may take for one signature, repeated sendings of the same request included. */
export const SIGNER_TIMEOUT_MS = 5_000

/**
 * Runs what asks a remote signer. Its failures become errors that work in the background waits for and tries again, as
 * nothing is written down before it is signed.
 * @throws AppError `provider_timeout` or `provider_unavailable`, whose `details` say what is wrong without any address or
 *   key; what is not the signer's failure passes through
 */
export async function askSigner<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const code = error.kind === 'timeout' ? 'provider_timeout' : 'provider_unavailable'
    throw new AppError(code, { details: `the signer: ${reasonOf(error)}`, cause: error })
  }
}

/** Messages of ours about what a signer sent can be told; those of the HTTP client name the path. */
function reasonOf({ provider, kind, httpStatus, message, body }: ProviderError): string {
  if (kind === 'protocol') return message
  if (httpStatus === undefined) return `${provider} did not answer`
  const type = awsErrorType(body)
  return `${provider} answered ${httpStatus}${type === undefined ? '' : ` ${type}`}`
}

/** The name of an error of AWS, such as `AccessDeniedException`; it stands behind a `#` where a namespace comes first. */
function awsErrorType(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('__type' in body)) return undefined
  return /(?:^|#)([A-Za-z]{1,64})$/.exec(String(body.__type))?.[1]
}
