import { ANSWER_HEADERS } from '../checkout/headers.js'

/**
 * The headers of the console's document. Only what is ours is loaded, run and asked. The component kit writes its sizes
 * into style elements at run time, which the nonce of this one document lets in.
 * @param nonce of this answer alone
 */
export function documentHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { ...ANSWER_HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
}
