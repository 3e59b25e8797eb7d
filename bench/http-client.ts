import { createConnection, type Socket } from 'node:net'

/** An answer as far as the benchmark looks at it. */
export interface Answer {
  status: number
  body: string
}

/** One kept-alive connection; a request may only be sent once the answer of the one before is there. */
export interface Connection {
  send: (request: string) => Promise<Answer>
  close: () => void
}

const HEAD_END = '\r\n\r\n'

/**
 * Opens a connection to a server on this machine. It speaks just enough HTTP/1.1 for measuring: the load generator must
 * not be what limits the requests per second, and `node:http` costs as much as the servers that are measured.
 * @throws (send) where the connection breaks, or the answer has no `Content-Length`
 */
export async function connect(port: number): Promise<Connection> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  return speakHttp(socket)
}

function speakHttp(socket: Socket): Connection {
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  let received: Buffer = Buffer.alloc(0)
  const fail = (error: Error): void => {
    waiting?.reject(error)
    waiting = undefined
    socket.destroy()
  }
  socket.on('error', fail)
  socket.on('close', () => {
    fail(new Error('the server closed the connection'))
  })
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = readAnswer(received)
      if (!answer) return
      received = Buffer.alloc(0)
      const { resolve } = waiting ?? { resolve: undefined }
      waiting = undefined
      resolve?.(answer)
    } catch (error) {
      fail(error as Error)
    }
  })
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

/** The answer, undefined while it is not complete. */
function readAnswer(received: Buffer): Answer | undefined {
  const headLength = received.indexOf(HEAD_END)
  if (headLength < 0) return undefined
  const head = received.toString('latin1', 0, headLength)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`)
  const bodyStart = headLength + HEAD_END.length
  const bodyEnd = bodyStart + Number(length)
  if (received.length < bodyEnd) return undefined
  if (received.length > bodyEnd) throw new Error('more than one answer came at once')
  return { status: Number(head.slice(9, 12)), body: received.toString('utf8', bodyStart, bodyEnd) }
}

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** The bytes of a request. `Content-Length` is added; names are sent in the case they are written in. */
export function wireText({ method, path, headers, body = '' }: WireRequest): string {
  const all = { host: '127.0.0.1', ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}${HEAD_END}${body}`
}
