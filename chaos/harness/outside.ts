import { join } from 'node:path'
import { adjustableClock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import { environmentOf } from '../../sandbox/environment.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { startSandbox } from '../../sandbox/start.js'
import type { FaultArea } from '../fault.js'
import { rpcArea } from '../nodes/area.js'
import { startEvmPool, type EvmPool } from '../nodes/evm-pool.js'
import { startSolanaPool, type SolanaPool } from '../nodes/solana-pool.js'
import { providerArea } from '../providers/area.js'
import { startCallbackProxy } from '../providers/callback-proxy.js'
import { startProviderProxy, type ProviderProxy } from '../providers/provider-proxy.js'
import type { Finding } from '../view.js'
import { readDescription, type SandboxDescription } from './sandbox-description.js'

/** Chains and providers, and what stands between them and the product. */
export interface Outside {
  sandbox: Sandbox
  description: SandboxDescription
  confirmations: number
  /** What the product's processes are told of it. */
  environment: Readonly<Record<string, string>>
  areas: readonly FaultArea[]
  /** Resolves once all callbacks have been told that were held back. */
  settled: () => Promise<void>
  /** Forged callbacks that were taken since the last time this was asked. */
  takeFindings: () => Finding[]
}

/** How the product reaches the nodes of a chain: behind one address that spreads its calls, or each by an address of its own. */
export const NODE_ADDRESSES = ['balanced', 'each'] as const
export type NodeAddresses = (typeof NODE_ADDRESSES)[number]

/** As the product asks for on Polygon. */
const CONFIRMATIONS = 5

/**
 * Starts chains and simulators, pools of nodes before the chains, and a proxy before each provider and each callback.
 * @param stack takes what ends them
 */
export async function startOutside(
  options: {
    databaseUrl: string
    folder: string
    log: Logger
    gateways: readonly string[]
    onGiveUp: (error: Error) => void
    /** Between two blocks of the EVM chain. */
    blockSeconds: number
    nodes: NodeAddresses
  },
  stack: AsyncDisposableStack,
): Promise<Outside> {
  const { databaseUrl, folder, log, onGiveUp, gateways, blockSeconds, nodes } = options
  const pace = { blockSeconds, confirmations: CONFIRMATIONS }
  const dataDir = join(folder, 'outside')
  const clock = adjustableClock()
  const sandbox = await startSandbox({ dataDir, databaseUrl, clock, log, onGiveUp, pace })
  stack.defer(() => sandbox.stop())
  const callbacks = await startCallbackProxy({ gateways: () => gateways })
  stack.defer(() => callbacks.close())
  const pools = await startPools(sandbox, stack)
  const providers = await startProviders(sandbox, stack)
  sandbox.writeDescription(callbacks.url)
  let knownForgeries = 0
  return {
    sandbox,
    description: await readDescription(dataDir),
    confirmations: CONFIRMATIONS,
    environment: {
      ...environmentOf(sandbox, {
        productUrl: callbacks.url,
        folder,
        chains: sandbox.chains.map((chain) => ({ ...chain, ...addressesOf(pools[chain.family], nodes) })),
      }),
      PRICE_BASE_URL: providers.price.url,
      REAL_PRICE_BASE_URL: providers.price.url,
      DOLLAR_PRICE_BASE_URL: providers.price.url,
      ORACLE_BASE_URL: providers.price.url,
      ROUTER_BASE_URL: providers.router.url,
      PIX_BASE_URL: providers.pix.url,
      CARD_BASE_URL: providers.card.url,
      KYC_BASE_URL: providers.kyc.url,
    },
    areas: [rpcArea(pools), providerArea({ ...providers }, callbacks)],
    settled: () => callbacks.settled(),
    takeFindings: () => {
      const fresh = callbacks.acceptedForgeries.slice(knownForgeries)
      knownForgeries += fresh.length
      return fresh.map((forgery) => ({ promise: 'forged', text: `a forged callback was taken: ${forgery}` }))
    },
  }
}

/** What the product knows of a pool: its balancer, or each of its nodes. */
function addressesOf(pool: EvmPool | SolanaPool, addresses: NodeAddresses): { rpcUrl: string; rpcUrls?: string[] } {
  const urls = pool.nodes.map(({ url }) => url)
  return addresses === 'each' ? { rpcUrl: urls[0] ?? '', rpcUrls: urls.slice(1) } : { rpcUrl: pool.url }
}

async function startPools(sandbox: Sandbox, stack: AsyncDisposableStack) {
  const rpcUrlOf = (family: string): string => sandbox.chains.find((chain) => chain.family === family)?.rpcUrl ?? ''
  const evm = await startEvmPool({ rpcUrl: rpcUrlOf('evm') })
  stack.defer(() => evm.close())
  const solana = await startSolanaPool({ rpcUrl: rpcUrlOf('solana') })
  stack.defer(() => solana.close())
  return { evm, solana }
}

type ProviderName = 'pix' | 'card' | 'price' | 'router' | 'kyc'

async function startProviders(
  { rails: { pix, card }, priceUrl, routerUrl, verifier }: Sandbox,
  stack: AsyncDisposableStack,
): Promise<Record<ProviderName, ProviderProxy>> {
  const start = async (upstream: string): Promise<ProviderProxy> => {
    const proxy = await startProviderProxy({ upstream })
    stack.defer(() => proxy.close())
    return proxy
  }
  return {
    pix: await start(pix.baseUrl),
    card: await start(card.baseUrl),
    price: await start(priceUrl),
    router: await start(routerUrl),
    kyc: await start(verifier.baseUrl),
  }
}
