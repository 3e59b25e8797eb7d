import type { EndFault, Fault, FaultArea, Random } from '../fault.js'
import { between, pick, pickNamed } from '../random.js'
import type { LinkFault, TcpProxy } from '../tcp/tcp-proxy.js'

/** A way from one process to a subgraph. */
export interface SubgraphLink {
  from: string
  to: string
  proxy: TcpProxy
}

const EVERYBODY = '*'

const HTML = '<!doctype html><html><head><title>Sign in</title></head><body><h1>Please wait</h1></body></html>\n'

/** Subgraphs that are dead, slow, silent, or stand behind something that answers pages for people. */
export function subgraphArea(links: readonly SubgraphLink[]): FaultArea {
  const subgraphs = [...new Set(links.map(({ to }) => to))]
  return {
    area: 'subgraph',
    draw: (random) => {
      const to = pick(random, subgraphs)
      const callers = links.filter((link) => link.to === to).map(({ from }) => from)
      // A subgraph that is dead for one caller only is a broken network.
      const from = random() < 0.5 ? EVERYBODY : pick(random, callers)
      return { target: `${from}>${to}`, forMs: between(random, 500, 6_000), ...drawKind(random) }
    },
    begin: async (fault) => {
      const ends = linksOf(links, fault.target).map(({ proxy }) => proxy.begin(linkFault(fault)))
      return endAll(ends)
    },
  }
}

function drawKind(random: Random): Pick<Fault, 'kind' | 'details'> {
  const kind = pickNamed(random, { dead: 3, slow: 3, 'half-open': 2, html: 2 })
  if (kind === 'slow') return { kind, details: { delayMs: pick(random, [100, 500, 2_000, 6_000]) } }
  if (kind === 'html') return { kind, details: { status: pick(random, [200, 502, 503]) } }
  return { kind, details: {} }
}

function linkFault({ kind, details }: Fault): LinkFault {
  if (kind === 'slow') return { kind, delayMs: Number(details['delayMs']) }
  if (kind === 'half-open') return { kind }
  if (kind !== 'html') return { kind: 'refuse' }
  const head = [
    `HTTP/1.1 ${details['status']} Whatever`,
    'content-type: text/html',
    `content-length: ${HTML.length}`,
    'connection: close',
  ]
  return { kind: 'answer', text: `${head.join('\r\n')}\r\n\r\n${HTML}` }
}

function linksOf(links: readonly SubgraphLink[], target: string): SubgraphLink[] {
  const [from = '', to = ''] = target.split('>')
  return links.filter((link) => link.to === to && (from === EVERYBODY || link.from === from))
}

/** Ends several faults as one. */
export function endAll(ends: readonly (() => void)[]): EndFault {
  return async () => {
    for (const end of ends) end()
  }
}
