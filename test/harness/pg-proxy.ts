import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.js'

/** A way to PostgreSQL on which statements can be seen, and stopped. */
export interface PgProxy {
  /** The database's address, by this way. */
  url: string
  /** Told of each statement before it is passed on; `stop` leaves it and everything after it on the way. */
  onStatement: (text: string, session: Session) => 'pass' | 'stop'
  /** Told when the server has answered a statement, before the answer is passed on. */
  onReply: (text: string, session: Session) => 'pass' | 'stop'
  /** Cuts all connections, as a server that restarts does. */
  cut: () => void
}

/** One connection. */
export interface Session {
  /** What runs now. */
  running: string | undefined
  /** Whether it has worked on the tables of payments, which tells whose pool it belongs to. */
  isOfPayments: boolean
}

const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104

/** Starts the way, on a free port of loopback. Reads the frontend messages of the protocol, version 3. */
export async function startPgProxy(databaseUrl: string): Promise<PgProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true)
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    const session: Session = { running: undefined, isOfPayments: false }
    const read = statementReader()
    client.on('data', (chunk) => {
      for (const text of read(chunk)) {
        if (/"?payments"?\./.test(text)) session.isOfPayments = true
        session.running = text
        if (proxy.onStatement(text, session) === 'stop') return
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const { running } = session
      session.running = undefined
      if (running !== undefined && proxy.onReply(running, session) === 'stop') return
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = new URL(databaseUrl)
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as AddressInfo).port)
  const proxy: PgProxy = {
    url: address.href,
    onStatement: () => 'pass',
    onReply: () => 'pass',
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
  atEnd(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    proxy.cut()
    await closed
  })
  return proxy
}

/** Finds the statements that are run in the bytes of one connection: simple queries, and prepared ones as they are bound. */
function statementReader(): (chunk: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarting = true
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const found: string[] = []
    for (;;) {
      const header = isStarting ? 0 : 1
      if (rest.length < header + 4) return found
      const length = header + rest.readInt32BE(header)
      if (rest.length < length) return found
      const body = rest.subarray(header + 4, length)
      const type = isStarting ? '' : String.fromCharCode(rest[0] ?? 0)
      if (isStarting) isStarting = [SSL_REQUEST, GSS_REQUEST].includes(body.readInt32BE(0))
      const [first = '', second = ''] = body.toString('latin1').split('\0')
      if (type === 'Q') found.push(first)
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') found.push(prepared.get(second) ?? '')
      rest = rest.subarray(length)
    }
  }
}
