import type { EndFault, Fault, FaultArea, Random } from '../fault.js'
import { between, pick, pickNamed } from '../random.js'
import type { PoolNode } from './balancer.js'
import { reorganisationOf, type EvmPool } from './evm-pool.js'
import type { SolanaPool } from './solana-pool.js'

type Draw = Pick<Fault, 'kind' | 'target' | 'forMs' | 'details'>

const EVM = 'evm'
const SOLANA = 'solana'

/** What befalls the chain that all nodes of the EVM pool follow. */
const OF_EVM_CHAIN = { reorganise: 4, fork: 2 }

/** What befalls a node of either pool. */
const OF_A_NODE = {
  lag: 6,
  forget: 2,
  swallow: 2,
  limit: 2,
  slow: 2,
  'drop-answer': 2,
  reset: 2,
  error: 1,
  'late-error': 1,
  trickle: 1,
}

/** Faults that may befall a provider's whole pool at once; of a chain whose every node lies nothing can be promised. */
const OF_ALL_NODES = new Set<string>(['limit', 'slow', 'drop-answer', 'reset', 'error', 'late-error', 'trickle'])
const ALL_NODES_CHANCE = 0.2

/** The chains' nodes: one that lies, is slow or away, and reorganisations. */
export function rpcArea(pools: { evm: EvmPool; solana: SolanaPool }): FaultArea {
  const { evm, solana } = pools
  return {
    area: 'rpc',
    draw: (random) => {
      const chain = pick(random, [EVM, SOLANA])
      return chain === EVM ? drawOfEvm(random, evm.nodes) : drawOfNode(random, SOLANA, solana.nodes)
    },
    begin: (fault) =>
      isOfChain(fault) ? reorganise(evm, fault) : beginAtNodes(fault, [...evm.nodes, ...solana.nodes]),
  }
}

function drawOfEvm(random: Random, nodes: readonly PoolNode[]): Draw {
  const kind = pickNamed(random, { ...OF_EVM_CHAIN, node: 14 })
  if (kind === 'node') return drawOfNode(random, EVM, nodes)
  const details = {
    blocks: between(random, 1, 8),
    seed: between(random, 1, 1_000_000),
    included: pick(random, [0, 0.5, 0.9]),
    lost: pick(random, [0, 0, 0.3]),
  }
  const target = pick(random, nodes).name
  return kind === 'fork'
    ? { kind, target, forMs: between(random, 2_000, 10_000), details }
    : { kind, target: EVM, forMs: 0, details }
}

function drawOfNode(random: Random, chain: string, nodes: readonly PoolNode[]): Draw {
  const kind = pickNamed(random, OF_A_NODE)
  const isOfAll = random() < ALL_NODES_CHANCE && OF_ALL_NODES.has(kind)
  const target = isOfAll ? chain : pick(random, nodes).name
  // A whole pool that is away for long shows no more than one that is away for a moment.
  const forMs = between(random, 1_000, isOfAll ? 4_000 : 12_000)
  return { kind, target, forMs, details: detailsOf(random, kind, chain) }
}

function detailsOf(random: Random, kind: string, chain: string): Fault['details'] {
  if (kind === 'lag') return chain === EVM ? { blocks: between(random, 1, 40) } : { slots: 2 * between(random, 1, 64) }
  if (kind === 'forget') return chain === EVM ? {} : { slots: between(random, 2, 400) }
  if (kind === 'slow') return { ms: pick(random, [200, 2_000, 12_000]) }
  if (kind === 'trickle') return { everyMs: pick(random, [2, 10, 100]) }
  if (kind === 'error') return { status: pick(random, [500, 502, 503]) }
  if (kind === 'late-error') return { status: pick(random, [502, 504]) }
  return {}
}

function isOfChain({ kind }: Fault): boolean {
  return Object.hasOwn(OF_EVM_CHAIN, kind)
}

async function reorganise(evm: EvmPool, fault: Fault): Promise<EndFault> {
  const without = fault.kind === 'fork' ? evm.nodes.find(({ name }) => name === fault.target) : undefined
  const { rejoin } = await evm.reorganise(reorganisationOf(fault), without)
  return rejoin
}

function beginAtNodes(fault: Fault, nodes: readonly PoolNode[]): Promise<EndFault> {
  const hit = nodes.filter(({ name }) => name === fault.target || name.startsWith(`${fault.target}-`))
  if (hit.length === 0) throw new Error(`no node is called ${fault.target}`)
  const ends = hit.map(({ faults }) => faults.begin(fault))
  return Promise.resolve(async () => {
    for (const end of ends) await end()
  })
}
