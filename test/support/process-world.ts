import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { systemClock } from '../../kernel/clock.js'
import { createLog } from '../../kernel/log.js'
import { startAnvil } from '../../sandbox/anvil/anvil.js'
import { seed } from '../../sandbox/anvil/seed.js'
import { chainSide, sandboxChain, type ChainSide } from './chain.js'
import { ownDatabase } from './own-database.js'
import { startPgProxy, type PgProxy } from './pg-proxy.js'
import { startProductProcess, type ProductProcess } from './product-process.js'
import { startRpcProxy, type RpcProxy } from './rpc-proxy.js'
import { openDashboard, type Dashboard } from './tenants.js'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'

/** A database and a chain that outlive the processes of the product, which run on them. */
export interface ProcessWorld extends AsyncDisposable {
  chain: ChainSide
  rpc: RpcProxy
  pg: PgProxy
  hooks: WebhookReceiver
  dashboard: Dashboard
  /** Starts the product on a data folder of its own; the same name is the same folder. */
  start: (name: string, environment?: Record<string, string>) => Promise<ProductProcess>
}

/** Starts what the processes need: PostgreSQL and chain behind proxies, a receiver of webhooks. */
export async function startProcessWorld(): Promise<ProcessWorld> {
  const stack = new AsyncDisposableStack()
  const database = await ownDatabase()
  stack.defer(() => database.drop())
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-processes-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const anvil = await startAnvil({ log: createLog('silent') })
  stack.defer(() => anvil.stop())
  const operatorKey = generatePrivateKey()
  const operator = privateKeyToAddress(operatorKey)
  await seed(anvil.rpcUrl, { payer: operator, operator, treasury: operator })
  const [rpc, pg, hooks] = await Promise.all([startRpcProxy(), startPgProxy(database.url), startWebhookReceiver()])
  stack.defer(() => rpc.close())
  stack.defer(() => pg.close())
  stack.defer(() => hooks.close())
  rpc.target = anvil.rpcUrl
  const chainsFile = join(folder, 'chains.json')
  await writeFile(chainsFile, JSON.stringify([sandboxChain(rpc.url)]))
  const masterKey = randomBytes(32)
  const clock = systemClock
  const dashboard = await openDashboard({ databaseUrl: database.url, masterKey, clock, hooks })
  stack.defer(() => dashboard.close())
  const running: ProductProcess[] = []
  stack.defer(async () => void (await Promise.all(running.map((product) => product.stop()))))
  return {
    chain: chainSide(anvil.rpcUrl),
    rpc,
    pg,
    hooks,
    dashboard,
    start: async (name, environment = {}) => {
      const product = await startProductProcess({
        MODE: 'sandbox',
        DATA_DIR: join(folder, name),
        DATABASE_URL: pg.url,
        CHAINS_FILE: chainsFile,
        MASTER_KEY: masterKey.toString('hex'),
        OPERATOR_EVM_KEY: operatorKey,
        RATE_LIMIT_PER_MINUTE: '0',
        ...environment,
      })
      running.push(product)
      return product
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
