import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate as tick, setTimeout as delay } from 'node:timers/promises'

/** What goes wrong on a link, from the begin of the fault until its end. */
export type LinkFault =
  /** Bytes are swallowed both ways, and no end of either side is told to the other. */
  | { kind: 'half-open' }
  /** Each piece is held back. */
  | { kind: 'slow'; delayMs: number }
  /** The beginning of each piece comes byte by byte. */
  | { kind: 'bytewise' }
  /** Connections are reset, the open ones and the new ones. */
  | { kind: 'refuse' }
  /** Whatever is asked, this is the answer, and the connection ends. */
  | { kind: 'answer'; text: string }

/** What is told of each piece on its way; `cut` resets both sides instead of passing it on. */
export interface Watch {
  sent: (piece: Buffer) => 'pass' | 'cut'
  answered: (piece: Buffer) => 'pass' | 'cut'
}

/** A way to a server on 127.0.0.1 that can be broken. */
export interface TcpProxy {
  port: number
  /** Lets it go wrong, also on the open connections. Of several faults the latest counts. @returns what ends the fault */
  begin: (fault: LinkFault) => () => void
  /** Resets all connections at once. */
  cut: () => void
  /** How many bytes half-open connections have lost until now. */
  swallowedBytes: () => number
  close: () => Promise<void>
}

/** Longer than any header of a message: where a message is split is what a reader gets wrong. */
const BYTEWISE_MAX = 256

interface Connection {
  client: Socket
  /** Not there where the connection was made while nothing gets through. */
  server: Socket | undefined
  watch: Watch | undefined
  /** Bytes of it are lost, so that it cannot be used any more. */
  isTorn: boolean
}

interface State {
  targetPort: number
  newWatch: (() => Watch) | undefined
  faults: LinkFault[]
  connections: Set<Connection>
  swallowedBytes: number
}

/**
 * Starts the way, on a free port of loopback.
 * @param newWatch makes what is told of each piece of a new connection
 */
export async function startTcpProxy(targetPort: number, newWatch?: () => Watch): Promise<TcpProxy> {
  const state: State = { targetPort, newWatch, faults: [], connections: new Set(), swallowedBytes: 0 }
  // An end of one side alone is passed on as that.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    accept(state, client)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    port: (listener.address() as AddressInfo).port,
    begin: (fault) => begin(state, fault),
    cut: () => {
      for (const connection of state.connections) reset(connection)
    },
    swallowedBytes: () => state.swallowedBytes,
    close: () => close(listener, state),
  }
}

function begin(state: State, fault: LinkFault): () => void {
  state.faults.push(fault)
  if (fault.kind === 'refuse') for (const connection of state.connections) reset(connection)
  return () => {
    state.faults = state.faults.filter((other) => other !== fault)
    // Both sides learn only now that the connection is not what they take it for.
    if (fault.kind === 'half-open') for (const connection of state.connections) if (connection.isTorn) reset(connection)
  }
}

function accept(state: State, client: Socket): void {
  client.on('error', () => undefined)
  const fault = state.faults.at(-1)
  if (fault?.kind === 'refuse') {
    client.resetAndDestroy()
    return
  }
  const isLost = fault?.kind === 'half-open'
  const server = isLost ? undefined : connect({ port: state.targetPort, host: '127.0.0.1', allowHalfOpen: true })
  const connection: Connection = { client, server, watch: state.newWatch?.(), isTorn: isLost }
  state.connections.add(connection)
  server?.setNoDelay(true)
  server?.on('error', () => {
    reset(connection)
  })
  client.on('error', () => {
    if (!isSwallowing(state)) reset(connection)
  })
  for (const socket of [client, server]) {
    socket?.on('close', () => {
      if (client.destroyed && (server?.destroyed ?? true)) state.connections.delete(connection)
    })
  }
  const ways = [pump(state, connection, 'sent')]
  if (server) ways.push(pump(state, connection, 'answered'))
  for (const way of ways) {
    way.catch(() => {
      if (!connection.isTorn) reset(connection)
    })
  }
}

/** Passes on what one side says, piece by piece, and that it has ended. */
async function pump(state: State, connection: Connection, way: keyof Watch): Promise<void> {
  const { client, server } = connection
  const from = way === 'sent' ? client : server
  const to = way === 'sent' ? server : client
  if (!from) return
  try {
    for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      await pass(state, connection, way, piece)
    }
  } catch (error) {
    // The other side of a half-open connection does not learn that this one is gone.
    if (!isSwallowing(state)) throw error
  }
  if (isSwallowing(state)) connection.isTorn = true
  else to?.end()
}

async function pass(state: State, connection: Connection, way: keyof Watch, piece: Buffer): Promise<void> {
  const to = way === 'sent' ? connection.server : connection.client
  const fault = state.faults.at(-1)
  if (fault?.kind === 'half-open' || connection.isTorn) {
    connection.isTorn = true
    state.swallowedBytes += piece.length
    return
  }
  if (fault?.kind === 'answer') {
    if (way === 'sent') answer(connection, fault.text)
    return
  }
  if (connection.watch?.[way](piece) === 'cut') {
    reset(connection)
    return
  }
  if (fault?.kind === 'slow') await delay(fault.delayMs)
  if (!to) return
  if (fault?.kind === 'bytewise') {
    for (const byte of piece.subarray(0, BYTEWISE_MAX)) {
      await write(to, Buffer.of(byte))
      await tick()
    }
    if (piece.length > BYTEWISE_MAX) await write(to, piece.subarray(BYTEWISE_MAX))
  } else {
    await write(to, piece)
  }
}

function answer(connection: Connection, text: string): void {
  connection.isTorn = true
  connection.client.write(text)
  connection.client.destroySoon()
  connection.server?.destroy()
}

/** Waits until the other side has room, so that a slow reader slows the writer down. */
function write(to: Socket, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    to.write(piece, () => {
      resolve()
    })
  })
}

function isSwallowing(state: State): boolean {
  return state.faults.at(-1)?.kind === 'half-open'
}

function reset({ client, server }: Connection): void {
  client.resetAndDestroy()
  server?.resetAndDestroy()
}

async function close(listener: Server, state: State): Promise<void> {
  const closed = new Promise((resolve) => listener.close(resolve))
  for (const connection of state.connections) reset(connection)
  await closed
}
