import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A client's certificate and key, and the authority that the server is checked against; PEM texts. */
export interface MutualTls {
  cert: string
  key: string
  ca: string | undefined
}

/**
 * `fetch` for one provider that wants a client certificate, which Node's own cannot give without a package. Takes what
 * our HTTP client sends: a URL, method, headers, a text body and a signal. Follows no redirects.
 */
export function mutualTlsFetch({ cert, key, ca }: MutualTls): typeof fetch {
  const agent = new Agent({ cert, key, keepAlive: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) })
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const message = await send(agent, url, init ?? {})
    const body = await buffer(message)
    const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    )
    const status = message.statusCode ?? 502
    return new Response(status === 204 || body.length === 0 ? null : new Uint8Array(body), { status, headers })
  }
}

function send(agent: Agent, url: URL, init: RequestInit): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers, signal, body } = init
    const call = request(
      url,
      {
        agent,
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal && { signal }),
      },
      resolve,
    )
    // The HTTP client reads a socket's error code from the cause, as fetch gives it.
    call.on('error', (cause) => {
      reject(new TypeError('fetch failed', { cause }))
    })
    call.end(typeof body === 'string' ? body : undefined)
  })
}
