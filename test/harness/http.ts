import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

/** An answer as it came over the wire. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The text as JSON; undefined where it is none. */
  body: Body
}

/** The bodies of this product's HTTP side, as far as tests look into them. */
export interface Body {
  statusCode?: number
  success?: boolean
  status?: string
  message?: string
  data?: Record<string, unknown>
  errors?: { field: string; message: string }[]
  [other: string]: unknown
}

/** A request; header names keep their letter case on the wire. */
export interface Sent {
  method: string
  url: string
  headers?: Record<string, string | string[]>
  /** Sent as it is: text, or bytes. */
  body?: string | Buffer | undefined
}

const agent = new Agent({ keepAlive: true })

/** Sends one request and reads the whole answer. */
export async function send({ method, url, headers = {}, body }: Sent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  // Node frames the body of a DELETE only where it is told how long it is.
  const framed =
    body === undefined || method !== 'DELETE' ? headers : { ...headers, 'content-length': `${body.length}` }
  const sent = request(url, { method, headers: framed, agent }, (response) => {
    text(response).then((read) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: read, body: parse(read) })
    }, reject)
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

function parse(given: string): Body {
  try {
    return JSON.parse(given) as Body
  } catch {
    return {}
  }
}

/** The fields that an answer says are bad, in the order of their names. */
export function fieldsOf({ body }: Answer): string[] {
  return (body.errors ?? []).map(({ field }) => field).sort()
}
