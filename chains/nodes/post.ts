import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** An answer, whatever its status. */
export interface PostAnswer {
  status: number
  /** The header `retry-after`. */
  retryAfter: string | undefined
  text: string
}

/** Why there is no answer. */
export class PostError extends Error {
  override readonly name = 'PostError'
  constructor(
    readonly kind: 'timeout' | 'too_long' | 'broken',
    /** The system's word for what happened to the connection. */
    readonly code: string | undefined,
  ) {
    super(kind)
  }
}

/** Idle connections are ended soon: a node that ends one first breaks the request that is just being sent on it. */
const IDLE = { keepAlive: true, timeout: 4_000 }
const agents = { http: new http.Agent(IDLE), https: new https.Agent(IDLE) }

/**
 * Posts JSON over Node's own client, which takes a third of the time of its fetch. It follows no redirects; connections are kept
 * alive and shared.
 * @param url its user and password go as basic authentication
 * @param options.timeoutMs how long the answer may take, its body included
 * @param options.maxBytes longer answers are given up
 * @throws PostError
 */
export function post(
  url: string,
  body: string,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<PostAnswer> {
  const { address, headers } = endpointOf(url)
  const [client, agent] = address.protocol === 'https:' ? [https, agents.https] : [http, agents.http]
  return new Promise((resolve, reject) => {
    const request = client.request(address, { method: 'POST', agent, headers })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      request.destroy(new Error('no answer in time'))
    }, timeoutMs)
    const fail = (error: Error & { code?: string }): void => {
      clearTimeout(timer)
      request.destroy()
      if (isLate) reject(new PostError('timeout', undefined))
      else reject(error instanceof PostError ? error : new PostError('broken', error.code))
    }
    request.on('error', fail)
    request.on('response', (response) => {
      readText(response, maxBytes, fail, (text) => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text })
      })
    })
    request.end(body)
  })
}

/** Node's client would send a URL's user and password as they are encoded there. */
function endpointOf(url: string): { address: URL; headers: Record<string, string> } {
  const address = new URL(url)
  const { username, password } = address
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' }
  if (username === '' && password === '') return { address, headers }
  Object.assign(address, { username: '', password: '' })
  const token = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { address, headers: { ...headers, authorization: `Basic ${token}` } }
}

/** Reads a body to its end. @param fail told where it breaks off, cannot be unpacked, or is too long */
function readText(
  response: IncomingMessage,
  maxBytes: number,
  fail: (error: Error) => void,
  done: (text: string) => void,
): void {
  const isPacked = response.headers['content-encoding'] === 'gzip'
  const body: Readable = isPacked ? pipeline(response, createGunzip(), () => undefined) : response
  const chunks: Buffer[] = []
  let size = 0
  body.on('error', fail)
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) fail(new PostError('too_long', undefined))
    else chunks.push(chunk)
  })
  body.on('end', () => {
    done(Buffer.concat(chunks).toString())
  })
}
