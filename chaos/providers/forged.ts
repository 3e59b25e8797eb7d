import { createHash } from 'node:crypto'
import type { HttpRequest } from '../http/exchange.js'

/**
 * The same callback as a stranger would send it: he knows what callbacks look like, but neither the secret that signs
 * them, nor the password, nor the secret part of the address.
 */
export function forgedCopy(request: HttpRequest): HttpRequest {
  const headers = { ...request.headers }
  const signed = Object.keys(headers).filter((name) => /signature/.test(name))
  for (const name of signed) headers[name] = createHash('sha256').update(String(headers[name])).digest('hex')
  if (headers.authorization !== undefined) {
    headers.authorization = `Basic ${Buffer.from('stranger:guess').toString('base64')}`
  }
  const provesItself = signed.length > 0 || headers.authorization !== undefined
  return { ...request, headers, path: provesItself ? request.path : otherAddress(request.path) }
}

/** `/callbacks/<rail>/<secret>/...` with another secret of the same length. */
function otherAddress(path: string): string {
  const parts = path.split('/')
  const secret = parts[3] ?? ''
  parts[3] = createHash('sha256')
    .update(secret)
    .digest('hex')
    .slice(0, secret.length || 32)
  return parts.join('/')
}
