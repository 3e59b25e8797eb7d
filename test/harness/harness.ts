import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adjustableClock, type AdjustableClock } from '../../kernel/clock.js'
import { loadEnv } from '../../app/env.js'
import { startProduct } from '../../app/start-product.js'
import { ending, ownFolder } from './at-end.js'
import { query } from './database.js'
import { migratedDatabase } from './migrated-database.js'
import { chainSide, type ChainSide } from './evm-side.js'
import type { Answer } from './http.js'
import { type Caller, callerOf, type RestCall } from './rest.js'
import { startPublicAddress } from './public-address.js'
import type { RpcProxy } from './rpc-proxy.js'
import { startTestSandbox } from './sandbox.js'
import { solanaSide, type SolanaSide } from './solana-side.js'
import { type Shop, tenantCalls } from './rest-payments.js'
import { type Dashboard, openDashboard } from './tenants.js'
import { walletList, type WalletList } from './wallet-list.js'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'

/** The whole product in this process, on real components of its own, and everything around it. */
export interface Harness extends Caller {
  url: string
  /** Where the product says that it is: links and ways back lead there. */
  publicUrl: string
  databaseUrl: string
  /** The wallets that the product refuses. */
  wallets: WalletList
  clock: AdjustableClock
  /** Where the sandbox keeps what command lines read. */
  dataDir: string
  /** The chain as payers and receivers see it. */
  chain: ChainSide
  /** The product's way to the chain. */
  rpc: RpcProxy
  /** The Solana chain as payers and receivers see it, and the product's way to it. */
  solana: SolanaSide
  solanaRpc: RpcProxy
  hooks: WebhookReceiver
  dashboard: HarnessDashboard
  /** A tenant with every product. */
  tenant: Shop
  priceUrl: string
  routerUrl: string
  /** The verification provider, and what arrived by e-mail. */
  kycUrl: string
  cardUrl: string
  pixUrl: string
  mailboxUrl: string
  /** The lending markets of the Solana chain; the product has them where `hasMarket` was given. */
  markets: readonly LendingMarket[]
  graphql: (query: string, variables: object, call?: RestCall) => Promise<Answer>
  /** Rows of a statement on the product's database. */
  sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  /** Does something while a table of the product's database is missing. */
  withoutTable: (table: string, work: () => Promise<void>) => Promise<void>
}

/** As `Dashboard`, whose tenants call this product. */
export interface HarnessDashboard extends Dashboard {
  newTenant: (...given: Parameters<Dashboard['newTenant']>) => Promise<Shop>
}

/** A market as `YIELD_MARKETS_FILE` holds it. */
export interface LendingMarket {
  provider: string
  symbol: string
  mint: string
  reserve: string
}

/** What a test sets that is no variable. */
export interface HarnessOptions {
  kycTimeoutMs?: number
  /** Which tokens' markets are switched on; no market is there where left out. */
  hasMarket?: (symbol: string) => boolean
}

/**
 * Boots the product on free ports, with a database of its own in the run's PostgreSQL, a data folder of its own and a
 * clock that can be moved. One harness per test file, with which it ends.
 * @param environment variables of the product that the test sets
 */
export async function startHarness(
  environment: Record<string, string> = {},
  { kycTimeoutMs, hasMarket }: HarnessOptions = {},
): Promise<Harness> {
  const { url: databaseUrl } = await migratedDatabase()
  const dataDir = await ownFolder()
  const hooks = await startWebhookReceiver()
  const clock = adjustableClock()
  const { sandbox, log, onGiveUp, ...ways } = await startTestSandbox({ dataDir, databaseUrl, clock })
  const write = async (name: string, content: unknown): Promise<string> => {
    await writeFile(join(dataDir, name), JSON.stringify(content))
    return join(dataDir, name)
  }
  const { markets } = sandbox.yieldMarkets as { markets: LendingMarket[] }
  const enabled = hasMarket && markets.map((market) => ({ ...market, enabled: hasMarket(market.symbol) }))
  const masterKey = randomBytes(32)
  const wallets = await walletList()
  const publicAddress = await startPublicAddress()
  const env = loadEnv({
    PORT: '0',
    PUBLIC_URL: publicAddress.url,
    MODE: 'sandbox',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHAINS_FILE: await write('chains.json', ways.chains),
    ...(enabled && { YIELD_MARKETS_FILE: await write('markets.json', { markets: enabled }) }),
    MASTER_KEY: masterKey.toString('hex'),
    RATE_LIMIT_PER_MINUTE: '0',
    WALLET_LIST_FILE: wallets.path,
    ...environment,
  })
  const started = { env, clock, log, onGiveUp, sandbox, kycTimeoutMs, hasPeriodicJobs: false }
  const product = ending(await startProduct(started))
  publicAddress.leadTo(product.url)
  const { rest } = callerOf(product)
  const dashboard = await openDashboard({ databaseUrl, masterKey, clock, hooks })
  const newTenant: HarnessDashboard['newTenant'] = async (options) => {
    const tenant = await dashboard.newTenant(options)
    return { ...tenant, ...tenantCalls({ rest }, tenant) }
  }
  return {
    url: product.url,
    publicUrl: publicAddress.url,
    databaseUrl,
    wallets,
    clock,
    dataDir,
    chain: chainSide(ways.evmUrl),
    rpc: ways.rpc,
    solana: solanaSide(ways.solanaUrl),
    solanaRpc: ways.solanaRpc,
    hooks,
    dashboard: { ...dashboard, newTenant },
    tenant: await newTenant(),
    priceUrl: sandbox.priceUrl,
    routerUrl: sandbox.routerUrl,
    kycUrl: sandbox.verifier.baseUrl,
    cardUrl: new URL(sandbox.rails.card.baseUrl).origin,
    pixUrl: sandbox.rails.pix.baseUrl,
    mailboxUrl: sandbox.mailboxUrl,
    markets,
    rest,
    graphql: (document, variables, call) => rest('POST', '/graphql', { ...call, body: { query: document, variables } }),
    sql: (statement, values) => query(databaseUrl, statement, values),
    withoutTable: async (table, work) => {
      const [schema = '', name = ''] = table.split('.')
      await query(databaseUrl, `alter table ${table} rename to missing`)
      await work().finally(() => query(databaseUrl, `alter table ${schema}.missing rename to ${name}`))
    },
  }
}
