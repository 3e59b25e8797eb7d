import type { Logger } from '../../kernel/log.js'
import { createNode } from './node.js'
import { createNodePool, type NodePool } from './node-pool.js'
import type { NodeRules } from './rules.js'

/** The addresses of a chain, as its settings have them. */
export interface NodeAddresses {
  name: string
  /** May hold an API key: never logged, never part of an error. */
  rpcUrl: string
  /** More of them, in the order in which they are asked; `rpcUrl` may be among them. */
  rpcUrls?: readonly string[]
  /** How many calls each address takes in a second; undefined: as many as there are. */
  rpcCallsPerSecond?: number
}

/** How nodes are asked. */
export interface NodeTiming {
  /** How long one answer may take, its body included; 10 s by default. */
  timeoutMs?: number | undefined
  nowMs?: () => number
  delay?: (ms: number) => Promise<void>
}

/** Opens a chain's nodes; nothing is sent until they are asked. Connections are kept alive and shared (`post.ts`). */
export function openNodes(
  { name, rpcUrl, rpcUrls = [], rpcCallsPerSecond }: NodeAddresses,
  { rules, identity }: { rules: NodeRules; identity: string | undefined },
  { timeoutMs = 10_000, nowMs = () => performance.now(), delay = sleep }: NodeTiming = {},
  log?: Pick<Logger, 'warn' | 'error'>,
): NodePool {
  const urls = [...new Set([rpcUrl, ...rpcUrls])]
  const nodes = urls.map((url, index) =>
    createNode({
      ...{ chain: name, url, position: index + 1, timeoutMs },
      ...{ callsPerSecond: rpcCallsPerSecond, time: { nowMs, delay } },
      onRest: ({ position, reason, restMs }) => {
        if (urls.length > 1) log?.warn({ chain: name, node: position, details: reason, restMs }, "a chain's node rests")
      },
    }),
  )
  const onForeign = ({ position }: { position: number }): void =>
    log?.error({ chain: name, node: position }, 'a node is of another chain and is not asked')
  return createNodePool({ nodes, rules, identity, nowMs, onForeign })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
