import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** One request as it came, its body read. */
export interface HttpRequest {
  method: string
  /** Path and query. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** One whole answer. */
export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** A listening server of the harness. */
export interface HttpServer {
  url: string
  close: () => Promise<void>
}

/** Headers that are about one connection only. */
const OF_THE_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect']

/**
 * Listens on a free port of loopback. A handler that throws cuts its connection: that is what a client sees of a proxy
 * whose upstream is gone.
 */
export async function startHttpServer(
  handle: (request: HttpRequest, response: ServerResponse) => Promise<void>,
): Promise<HttpServer> {
  const server = createServer((incoming, response) => {
    readRequest(incoming)
      .then((read) => handle(read, response))
      .catch(() => cut(response))
  })
  // A client's kept-alive connection must not be closed under it by the harness: only faults do that.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<HttpRequest> {
  const { method = 'GET', url: path = '/', headers } = incoming
  return { method, path, headers, body: await buffer(incoming) }
}

/** Ends an exchange as a crashed server does: a reset, and no answer. */
export function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

/** Answers. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  response.writeHead(status, { ...withoutConnection(headers), 'content-length': body.length }).end(body)
}

/** An answer of JSON. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  const body = Buffer.from(JSON.stringify(value))
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

/** Kept-alive connections, for upstreams of which everything may be asked twice (chain nodes). */
const kept = new Agent({ keepAlive: true, maxFreeSockets: 32 })

/**
 * Passes one request on.
 * @param options.repeatable whether it may be sent once more where a kept-alive connection turns out to be closed; where
 *   it may not, it gets a connection of its own
 * @throws Error where the upstream gives no whole answer
 */
export async function forward(
  upstream: string,
  { method, path, headers, body }: HttpRequest,
  { repeatable }: { repeatable: boolean },
): Promise<HttpAnswer> {
  const attempt = (agent: Agent | false): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const sent = request(new URL(path, upstream), {
        method,
        agent,
        headers: { ...withoutConnection(headers), 'content-length': body.length },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        const { statusCode: status = 502 } = answer
        buffer(answer).then((read) => resolve({ status, headers: answer.headers, body: read }), reject)
      })
      sent.end(body)
    })
  if (!repeatable) return attempt(false)
  try {
    return await attempt(kept)
  } catch {
    return attempt(false)
  }
}

/** Headers that can be passed on to another connection. */
export function withoutConnection(headers: HttpAnswer['headers']): Record<string, string | string[]> {
  const own: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OF_THE_CONNECTION.includes(name)) own[name] = value
  }
  return own
}
