import { join } from 'node:path'
import { adjustableClock } from '../../kernel/clock.js'
import { environmentOf } from '../../sandbox/environment.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { ownFolder } from './at-end.js'
import { migratedDatabase } from './migrated-database.js'
import { chainSide, type ChainSide } from './evm-side.js'
import { type PgProxy, startPgProxy } from './pg-proxy.js'
import { type ProductProcess, startProductProcess } from './product-process.js'
import type { RpcProxy } from './rpc-proxy.js'
import { startTestSandbox } from './sandbox.js'
import { type Dashboard, openDashboard } from './tenants.js'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'

/** A database, chains and simulators that outlive the processes of the product, which run on them. */
export interface ProcessHarness {
  /** Where all files are. */
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
  start: (
    name: string,
    environment?: Record<string, string>,
    options?: Parameters<typeof startProductProcess>[1],
  ) => Promise<ProductProcess>
}

/** Starts what the processes need: a sandbox, with proxies before PostgreSQL and the chains, and a receiver of webhooks. */
export async function startProcessHarness(): Promise<ProcessHarness> {
  const { url: databaseUrl } = await migratedDatabase()
  const folder = await ownFolder()
  const clock = adjustableClock()
  const parts = await startTestSandbox({ dataDir: join(folder, 'sandbox'), databaseUrl, clock })
  const { sandbox, rpc, chains } = parts
  const [pg, hooks] = await Promise.all([startPgProxy(databaseUrl), startWebhookReceiver()])
  const configured = environmentOf(sandbox, { productUrl: 'http://127.0.0.1:9', folder, chains })
  return {
    folder,
    sandbox,
    chain: chainSide(parts.evmUrl),
    rpc,
    pg,
    hooks,
    dashboard: await openDashboard({ databaseUrl, masterKey: sandbox.masterKey, clock, hooks }),
    start: (name, environment = {}, options = {}) =>
      startProductProcess(
        {
          ...configured,
          DATA_DIR: join(folder, name),
          DATABASE_URL: pg.url,
          RATE_LIMIT_PER_MINUTE: '0',
          ...environment,
        },
        options,
      ),
  }
}
