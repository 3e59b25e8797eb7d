import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adjustableClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { environmentOf } from '../../sandbox/environment.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { startSandbox } from '../../sandbox/start.js'
import { chainSide, sandboxChain, type ChainSide } from './evm-side.js'
import { ownDatabase } from './database.js'
import { startPgProxy, type PgProxy } from './pg-proxy.js'
import { startProductProcess, type ProductProcess } from './product-process.js'
import { sandboxSolana } from './solana.js'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js'
import { openDashboard, type Dashboard } from './tenants.js'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'

/** A database, chains and simulators that outlive the processes of the product, which run on them. */
export interface ProcessHarness extends AsyncDisposable {
  /** Where all files of this world are. */
  folder: string
  /** Chains and simulators: all processes share them. */
  sandbox: Sandbox
  chain: ChainSide
  rpc: RpcProxy
  pg: PgProxy
  hooks: WebhookReceiver
  dashboard: Dashboard
  /**
   * Starts the product, which starts nothing itself: everything is configured.
   * @param name of the data folder that it would have if it needed one
   */
  start: (name: string, environment?: Record<string, string>) => Promise<ProductProcess>
}

/** Starts what the processes need: a sandbox, with proxies before PostgreSQL and EVM chain, and a receiver of webhooks. */
export async function startProcessHarness(): Promise<ProcessHarness> {
  const stack = new AsyncDisposableStack()
  const database = await ownDatabase()
  stack.defer(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-processes-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const clock = adjustableClock()
  const log = createLog('silent')
  const sandbox = await startSandbox({
    dataDir: join(folder, 'sandbox'),
    databaseUrl: database.url,
    clock,
    log,
    onGiveUp: (error) => log.error(error),
  })
  stack.defer(() => sandbox.stop())
  const [anvil, liteSvm] = sandbox.chains
  if (!anvil || !liteSvm) throw new Error('the sandbox has two chains')
  const [rpc, pg, hooks] = await Promise.all([startRpcProxy(), startPgProxy(database.url), startWebhookReceiver()])
  stack.defer(() => rpc.close())
  stack.defer(() => pg.close())
  stack.defer(() => hooks.close())
  rpc.target = anvil.rpcUrl
  const chains = [sandboxChain(rpc.url), sandboxSolana(liteSvm.rpcUrl)]
  const configured = environmentOf(sandbox, { productUrl: 'http://127.0.0.1:9', folder, chains })
  const { masterKey } = sandbox
  const dashboard = await openDashboard({ databaseUrl: database.url, masterKey, clock, hooks })
  stack.defer(() => dashboard.close())
  const running: ProductProcess[] = []
  stack.defer(async () => void (await Promise.all(running.map((product) => product.stop()))))
  return {
    folder,
    sandbox,
    chain: chainSide(anvil.rpcUrl),
    rpc,
    pg,
    hooks,
    dashboard,
    start: async (name, environment = {}) => {
      const product = await startProductProcess({
        ...configured,
        DATA_DIR: join(folder, name),
        DATABASE_URL: pg.url,
        RATE_LIMIT_PER_MINUTE: '0',
        ...environment,
      })
      running.push(product)
      return product
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
