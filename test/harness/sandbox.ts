import type { Chain } from '../../chains/chain.js'
import { solanaChain } from '../../sandbox/solana/seed.js'
import type { AdjustableClock } from '../../kernel/clock.js'
import { createLog, type Logger } from '../../kernel/log.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { startSandbox } from '../../sandbox/start.js'
import { ending } from './at-end.js'
import { sandboxChain } from './chains.js'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js'

/** Simulators and chains as the product's neighbours, and the product's ways to the chains. */
export interface RunningSandbox {
  sandbox: Sandbox
  log: Logger
  onGiveUp: (error: Error) => void
  evmUrl: string
  solanaUrl: string
  /** The product's ways to the chains; the addresses above are past them. */
  rpc: RpcProxy
  solanaRpc: RpcProxy
  /** What `CHAINS_FILE` holds so that the product takes these ways. */
  chains: readonly Chain[]
}

/** Starts a sandbox on a folder and a database of the test's, until the end. */
export async function startTestSandbox(options: {
  dataDir: string
  databaseUrl: string
  clock: AdjustableClock
}): Promise<RunningSandbox> {
  const log = createLog('silent')
  const onGiveUp = (error: Error): void => log.error(error)
  const sandbox = ending(await startSandbox({ ...options, log, onGiveUp }))
  const [anvil, liteSvm] = sandbox.chains
  if (!anvil || !liteSvm) throw new Error('the sandbox has two chains')
  const [rpc, solanaRpc] = [await startRpcProxy(anvil.rpcUrl), await startRpcProxy(liteSvm.rpcUrl)]
  const chains = [sandboxChain(rpc.url), solanaChain(solanaRpc.url)]
  return { sandbox, log, onGiveUp, evmUrl: anvil.rpcUrl, solanaUrl: liteSvm.rpcUrl, rpc, solanaRpc, chains }
}
