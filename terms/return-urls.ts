import type { FieldFailure } from '../kernel/errors.js'
import { isHttpUrl } from '../kernel/http-url.js'

/** Where the payment page sends a payer back to. */
export interface ReturnUrls {
  /** Once it is paid. */
  successUrl?: string | null | undefined
  /** Before that. */
  cancelUrl?: string | null | undefined
}

/**
 * What is wrong with the addresses of the way back.
 * @param allowsLoopback whether a shop on this machine may do without https, as in the sandbox
 */
export function returnUrlFailures(urls: ReturnUrls, allowsLoopback: boolean): FieldFailure[] {
  const message = allowsLoopback ? 'must be an https URL, or http on this machine' : 'must be an https URL'
  return (['successUrl', 'cancelUrl'] as const)
    .filter((field) => typeof urls[field] === 'string' && !isReturnUrl(urls[field], allowsLoopback))
    .map((field) => ({ field, message }))
}

/** Whether a payer's browser may be sent there. */
export function isReturnUrl(text: string, allowsLoopback: boolean): boolean {
  const url = isHttpUrl(text) ? URL.parse(text) : null
  if (!url || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return allowsLoopback && (url.hostname === 'localhost' || /^127\./.test(url.hostname) || url.hostname === '[::1]')
}
