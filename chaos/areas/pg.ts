import type { EndFault, Fault, FaultArea, Random } from '../fault.js'
import { freezeTree, send } from '../processes/signal-tree.js'
import { between, pick, pickNamed } from '../random.js'
import type { TcpProxy } from '../tcp/tcp-proxy.js'
import { CUT_POINTS, type CutPoint, type TransactionCuts } from '../tcp/transaction-watch.js'
import { endAll } from './subgraph.js'

/** A process's own way to PostgreSQL. */
export interface DatabaseLink {
  from: string
  proxy: TcpProxy
  cuts: TransactionCuts
}

/** The server itself; the embedded PostgreSQL starts it again. */
export interface DatabaseServer {
  /** Undefined while it is being started again. */
  pid: () => number | undefined
}

const EVERYBODY = '*'
const SERVER = 'server'

type Draw = Pick<Fault, 'kind' | 'target' | 'forMs' | 'details'>

/** The database: its connections, and the server itself. */
export function pgArea(links: readonly DatabaseLink[], server: DatabaseServer): FaultArea {
  return {
    area: 'pg',
    draw: (random) => (random() < 0.2 ? drawOfServer(random) : drawOfLinks(random, links)),
    begin: (fault) => (fault.target === SERVER ? beginAtServer(fault, server) : beginOnLinks(fault, links)),
  }
}

function drawOfServer(random: Random): Draw {
  const kind = pickNamed(random, { freeze: 3, kill: 1, stop: 1 })
  return { kind, target: SERVER, forMs: kind === 'freeze' ? between(random, 500, 6_000) : 0, details: {} }
}

function drawOfLinks(random: Random, links: readonly DatabaseLink[]): Draw {
  const kind = pickNamed(random, { 'cut-in-transaction': 6, cut: 2, 'half-open': 3, slow: 2, bytewise: 2, refuse: 2 })
  // A failover befalls all of them at once.
  const one = pick(random, links).from
  const target = random() < 0.25 ? EVERYBODY : one
  const forMs = between(random, 500, 6_000)
  switch (kind) {
    case 'cut':
      return { kind, target, forMs: 0, details: {} }
    case 'cut-in-transaction':
      return { kind, target, forMs, details: { point: pick(random, CUT_POINTS), count: between(random, 1, 12) } }
    case 'slow':
      return { kind, target, forMs, details: { delayMs: pick(random, [20, 100, 400]) } }
    default:
      return { kind, target, forMs, details: {} }
  }
}

async function beginOnLinks({ kind, target, details }: Fault, links: readonly DatabaseLink[]): Promise<EndFault> {
  const hit = links.filter(({ from }) => target === EVERYBODY || target === from)
  switch (kind) {
    case 'cut':
      for (const { proxy } of hit) proxy.cut()
      return endAll([])
    case 'cut-in-transaction':
      return endAll(hit.map(({ cuts }) => cuts.arm(details['point'] as CutPoint, Number(details['count']))))
    case 'slow':
      return endAll(hit.map(({ proxy }) => proxy.begin({ kind, delayMs: Number(details['delayMs']) })))
    case 'half-open':
    case 'bytewise':
    case 'refuse':
      return endAll(hit.map(({ proxy }) => proxy.begin({ kind })))
    default:
      throw new Error(`no fault of connections: ${kind}`)
  }
}

async function beginAtServer({ kind }: Fault, server: DatabaseServer): Promise<EndFault> {
  const pid = server.pid()
  if (pid === undefined) return endAll([])
  if (kind === 'freeze') return endAll([await freezeTree(pid)])
  send(pid, kind === 'kill' ? 'SIGKILL' : 'SIGINT')
  return endAll([])
}
