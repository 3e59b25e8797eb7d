import { setTimeout as delay } from 'node:timers/promises'
import DataLoader from 'dataloader'
import type { Hex } from 'viem'
import type { Chain, EvmChain } from '../../chains/chain.js'
import { createEvmClient, type EvmClient } from '../../chains/evm/client.js'
import { localSigner } from '../../chains/evm/operator.js'
import type { Clock } from '../../kernel/clock.js'
import { inTransaction, openDatabase, type Database } from '../../kernel/database.js'
import type { IdSource } from '../../kernel/ids.js'
import { addJob } from '../../kernel/jobs.js'
import type { Logger } from '../../kernel/log.js'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import type { PaymentsDeps } from './deps.js'
import { readDefaultIntegration } from './peers/default-integration.js'
import { readOrderTemplate } from './peers/order-template.js'
import { cachedPriceSource } from './prices/cached-price-source.js'
import { exchangeTicker } from './prices/exchange-ticker.js'
import { findMarket } from './prices/market.js'
import { quoteMarket } from './prices/quote-market.js'
import { destinationOf } from './rails/crypto/destination.js'
import { evmOnChain } from './rails/crypto/evm.js'
import { createOperator } from './rails/crypto/operator.js'
import { settleStep } from './rails/crypto/settle-step.js'
import { RAILS } from './rails/registry.js'
import { createLifiRouter } from './router/lifi.js'
import { CreatePayments } from './store/migrations/0001-payments.js'
import { CreateRelays } from './store/migrations/0002-relays.js'
import { OperatorTransactionEntity, operatorTransactionsStore } from './store/operator-transactions.js'
import { PaymentEntity, PaymentEventEntity } from './store/payment.entity.js'
import { paymentsStore } from './store/payments.js'
import { QuoteEntity, quotesStore } from './store/quotes.js'
import { RelayEntity, relaysStore } from './store/relays.js'

/** How long a rail, the router or the price source may take to answer. */
const PROVIDER_TIMEOUT_MS = 10_000

/** What the deployment decides about payments. */
export interface PaymentsOptions extends Pick<
  PaymentsDeps,
  'settings' | 'checkWebhookUrl' | 'sessionLink' | 'quoteLifeMs'
> {
  clock: Clock
  newId: IdSource
  log: Logger
  priceUrl: string
  routerUrl: string
  routerApiKey: string | undefined
  operatorKey: string
  /** The other subgraphs that payments reads. */
  peers: { orders: SubgraphExecutor; accounts: SubgraphExecutor }
}

/** Connects payments to its PostgreSQL schema. */
export function openPaymentsDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'payments',
    entities: [PaymentEntity, PaymentEventEntity, QuoteEntity, RelayEntity, OperatorTransactionEntity],
    migrations: [
      { name: '0001-payments', class: CreatePayments },
      { name: '0002-relays', class: CreateRelays },
    ],
  })
}

/** Makes the dependencies of a request: everything shared, the peers on its behalf, and loaders that live as long as it. */
export function paymentsContext(db: Database, options: PaymentsOptions): (context: RequestContext) => PaymentsDeps {
  const shared = sharedDeps(db, options)
  const { peers } = options
  return (context) => ({
    ...shared,
    orderTemplate: (id) => readOrderTemplate(peers.orders, context, id),
    defaultIntegration: () => readDefaultIntegration(peers.accounts, context),
    paymentById: perTenant((tenantId, ids) => shared.payments.findMany(tenantId, ids)),
    quoteById: perTenant((tenantId, ids) => shared.quotes.findMany(tenantId, ids)),
    historyById: perTenant((tenantId, ids) => shared.payments.histories(tenantId, ids)),
  })
}

type SharedDeps = Omit<
  PaymentsDeps,
  'orderTemplate' | 'defaultIntegration' | 'paymentById' | 'quoteById' | 'historyById'
>

function sharedDeps(db: Database, options: PaymentsOptions): SharedDeps {
  const { clock, newId, log, settings, checkWebhookUrl, sessionLink, quoteLifeMs } = options
  const provider = { timeoutMs: PROVIDER_TIMEOUT_MS, log, clock }
  const prices = cachedPriceSource(exchangeTicker.create({ baseUrl: options.priceUrl, ...provider }), clock)
  const evmClient = evmClients()
  const signer = localSigner(options.operatorKey as Hex)
  const operator = createOperator({
    pool: db.pool,
    clock,
    signer,
    transactions: operatorTransactionsStore(db),
    evmClient,
  })
  return {
    clock,
    newId,
    log,
    settings,
    checkWebhookUrl,
    sessionLink,
    quoteLifeMs,
    pool: db.pool,
    payments: paymentsStore(db, clock),
    quotes: quotesStore(db),
    relays: relaysStore(db),
    rails: RAILS,
    router: createLifiRouter({
      baseUrl: options.routerUrl,
      ...provider,
      ...(options.routerApiKey !== undefined && { apiKey: options.routerApiKey }),
    }),
    findMarket: (from, to) => findMarket({ prices }, from, to),
    quoteMarket: (question) => quoteMarket({ prices }, question),
    evmClient,
    onChain: { evm: evmOnChain({ settings, evmClient }) },
    operator,
    settleStep: (payment) => settleStep({ settings, evmClient, operator }, payment),
    isSplit: (payment) => destinationOf({ settings }, payment, payment.chainName ?? '').split !== undefined,
    addJob: (em, job) => addJob(em, clock, job),
    addJobNow: (job) => inTransaction(db, (em) => addJob(em, clock, job)),
    delay: (ms) => delay(ms),
  }
}

/** One client per chain, with connections of its own that are kept alive. */
function evmClients(): (chain: EvmChain) => EvmClient {
  const clients = new Map<Chain['name'], EvmClient>()
  return (chain) => {
    const client = clients.get(chain.name) ?? createEvmClient(chain)
    clients.set(chain.name, client)
    return client
  }
}

/** A loader for each tenant that a request reads for, which is one, made when it is first needed. */
function perTenant<Value>(
  load: (tenantId: string, ids: readonly string[]) => Promise<Value[]>,
): (tenantId: string, id: string) => Promise<Value> {
  const loaders = new Map<string, DataLoader<string, Value>>()
  return (tenantId, id) => {
    const loader = loaders.get(tenantId) ?? new DataLoader((ids: readonly string[]) => load(tenantId, ids))
    loaders.set(tenantId, loader)
    return loader.load(id)
  }
}
