import type { Logger } from '../../kernel/log.js'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import type { DatabaseLink } from '../areas/pg.js'
import type { SubgraphLink } from '../areas/subgraph.js'
import { productProcess, type ProductProcess } from '../processes/product-process.js'
import { startTcpProxy } from '../tcp/tcp-proxy.js'
import { transactionCuts } from '../tcp/transaction-watch.js'

/** The product as processes of its own, and the ways between them. None of them is started yet. */
export interface Product {
  processes: readonly ProductProcess[]
  workers: readonly ProductProcess[]
  databaseLinks: readonly DatabaseLink[]
  subgraphLinks: readonly SubgraphLink[]
  /** Stops the processes, each as a deployment would, and closes the ways. */
  stop: () => Promise<void>
}

const SUBGRAPHS = ['accounts', 'orders', 'kyc', 'yield', 'payments'] as const
const GATEWAYS = ['gateway-1', 'gateway-2'] as const
const WORKERS = ['worker-1', 'worker-2'] as const

/** The port of each process, by its name. */
export type Ports = ReadonlyMap<string, number>

/** Finds ports for all processes. */
export async function choosePorts(): Promise<Ports> {
  const ports = new Map<string, number>()
  for (const name of [...GATEWAYS, ...SUBGRAPHS, ...WORKERS]) ports.set(name, await findLastingPort())
  return ports
}

/** The addresses of the gateways. */
export function gatewayUrls(ports: Ports): string[] {
  return GATEWAYS.map((name) => `http://127.0.0.1:${ports.get(name)}`)
}

/**
 * Makes two gateways, a process for each subgraph, and two workers. Each has its own way to the database and to each
 * subgraph, and a port that stays its own, so that a process that was killed comes back at the same address.
 * @param options.environment what all of them are told
 */
export async function makeProduct(options: {
  databaseUrl: string
  ports: Ports
  environment: Readonly<Record<string, string>>
  folder: string
  log: Logger
}): Promise<Product> {
  const { databaseUrl, environment, folder, log, ports } = options
  const databaseLinks: DatabaseLink[] = []
  const subgraphLinks: SubgraphLink[] = []

  const make = async (name: string, role: string): Promise<ProductProcess> => {
    const database = await linkToDatabase(name, databaseUrl)
    databaseLinks.push(database.link)
    // A worker has all subgraphs in itself.
    const others = role === 'worker' ? [] : SUBGRAPHS.filter((subgraph) => subgraph !== role)
    const links = await Promise.all(others.map((to) => linkToSubgraph(name, to, ports.get(to) ?? 0)))
    subgraphLinks.push(...links)
    return productProcess({
      name,
      port: ports.get(name) ?? 0,
      folder,
      log,
      environment: {
        ...environment,
        ROLE: role,
        DATABASE_URL: database.url,
        ...(links.length > 0 && { SUBGRAPH_URLS: links.map(addressIn).join(',') }),
      },
    })
  }

  const gateways = await Promise.all(GATEWAYS.map((name) => make(name, 'gateway')))
  const subgraphs = await Promise.all(SUBGRAPHS.map((name) => make(name, name)))
  const workers = await Promise.all(WORKERS.map((name) => make(name, 'worker')))
  const processes = [...gateways, ...subgraphs, ...workers]
  return {
    processes,
    workers,
    databaseLinks,
    subgraphLinks,
    stop: async () => {
      await Promise.all(processes.map((process) => process.stop()))
      await Promise.all([...databaseLinks, ...subgraphLinks].map(({ proxy }) => proxy.close()))
    },
  }
}

async function linkToDatabase(from: string, databaseUrl: string): Promise<{ url: string; link: DatabaseLink }> {
  const url = new URL(databaseUrl)
  const cuts = transactionCuts()
  const proxy = await startTcpProxy(Number(url.port), cuts.newWatch)
  url.port = String(proxy.port)
  return { url: url.href, link: { from, proxy, cuts } }
}

async function linkToSubgraph(from: string, to: string, port: number): Promise<SubgraphLink> {
  return { from, to, proxy: await startTcpProxy(port) }
}

function addressIn({ to, proxy }: SubgraphLink): string {
  return `${to}=http://127.0.0.1:${proxy.port}/${to}/graphql`
}
