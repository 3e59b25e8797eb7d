import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import type { EvmChain } from '../../chains/chain.js'
import type { Clock } from '../../kernel/clock.js'
import type { Logger } from '../../kernel/log.js'
import type { StateFile } from '../state.js'
import { startAnvil } from './anvil.js'
import { seed } from './seed.js'
import { createAnvilClient } from './test-client.js'

/** How fast a chain is. */
export interface ChainPace {
  /** Between two blocks; 0 mines each transaction at once. */
  blockSeconds: number
  /** What the product asks for. */
  confirmations: number
}

const AT_ONCE: ChainPace = { blockSeconds: 0, confirmations: 1 }

/**
 * Starts the sandbox's EVM chain on its folder and brings it to its first state. Where blocks have a time of their own,
 * `finalized` is twice as far behind `latest` as the confirmations asked for.
 * @param home.running takes what ends it, as soon as there is something to end
 * @throws Error as `startAnvil`
 */
export async function startEvmChain(
  options: { clock: Clock; log: Logger; onGiveUp: (error: Error) => void; pace?: ChainPace },
  { lock, file, running }: { lock: { dataDir: string }; file: StateFile; running: (() => Promise<void>)[] },
): Promise<EvmChain> {
  const { clock, log, onGiveUp, pace = AT_ONCE } = options
  const anvil = await startAnvil({
    dataDir: join(lock.dataDir, 'polygon'),
    clock,
    // Of a chain that mines no empty block, nothing would ever be final but by later payments.
    slotsInEpoch: pace.blockSeconds === 0 ? 0 : pace.confirmations,
    log,
    onCrash: () => {
      onGiveUp(new Error('anvil has ended'))
    },
  })
  running.push(() => anvil.stop())
  const { state } = file
  const contracts = await seed(anvil.rpcUrl, {
    payer: privateKeyToAddress(state.payerKey),
    operator: privateKeyToAddress(state.operatorKey),
    treasury: privateKeyToAddress(state.treasuryKey),
  })
  // Only now: seeding waits for a block after each step.
  if (pace.blockSeconds > 0) {
    await createAnvilClient(anvil.rpcUrl).setIntervalMining({ interval: pace.blockSeconds })
  }
  return {
    family: 'evm',
    name: 'polygon',
    chainId: 31337,
    rpcUrl: anvil.rpcUrl,
    publicRpcUrl: anvil.rpcUrl,
    confirmations: pace.confirmations,
    nativeCoin: { symbol: 'POL', decimals: 18 },
    tokens: contracts.tokens,
    split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
    routers: [contracts.router],
  }
}
