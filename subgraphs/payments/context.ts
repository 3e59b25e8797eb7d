import { hkdfSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import DataLoader from 'dataloader'
import type { Hex } from 'viem'
import type { Chain, EvmChain, SolanaChain } from '../../chains/chain.js'
import { createEvmClient, type EvmClient } from '../../chains/evm/client.js'
import { localSigner } from '../../chains/evm/signer.js'
import { createSolanaClient, type SolanaClient } from '../../chains/solana/client.js'
import { localSolanaSigner } from '../../chains/solana/signer.js'
import type { Clock } from '../../kernel/clock.js'
import { keyRing } from '../../kernel/encryption.js'
import { openDatabase, type Database, type Transaction } from '../../kernel/database.js'
import type { IdSource } from '../../kernel/ids.js'
import { addJob, type JobRequest } from '../../kernel/jobs.js'
import type { Logger } from '../../kernel/log.js'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import type { PaymentsDeps } from './deps.js'
import { readDefaultIntegration } from './peers/default-integration.js'
import { readKycStanding } from './peers/kyc-standing.js'
import { findOrderTemplate, readOrderTemplate } from './peers/order-template.js'
import { readTenantProducts } from './peers/tenant-products.js'
import { cachedPriceSource } from './prices/cached-price-source.js'
import { exchangeTicker } from './prices/exchange-ticker.js'
import { hermes } from './prices/hermes.js'
import { findMarket } from './prices/market.js'
import { orderedPriceSource } from './prices/ordered-price-source.js'
import type { PriceSource } from './prices/price-source.js'
import { quoteMarket } from './prices/quote-market.js'
import { destinationOf } from './rails/crypto/destination.js'
import { evmOnChain } from './rails/crypto/evm.js'
import { createOperator } from './rails/crypto/operator.js'
import { readArrival } from './rails/crypto/receive.js'
import { settleStep } from './rails/crypto/settle-step.js'
import { solanaOnChain } from './rails/crypto/solana.js'
import type { CardSettings } from './rails/card/settings.js'
import type { PixSettings } from './rails/pix/settings.js'
import { createRails } from './rails/registry.js'
import { createLifiRouter } from './router/lifi.js'
import { evmPayouts } from './settlement/evm-payouts.js'
import { solanaPayouts } from './settlement/solana-payouts.js'
import { chargesStore } from './store/charges.js'
import { ledgerStore } from './store/ledger.js'
import { landedTransactionsStore } from './store/landed-transactions.js'
import { lostJobsStore } from './store/lost-jobs.js'
import { operatorAlerts } from './store/operator-alerts.js'
import { operatorTransactionsStore } from './store/operator-transactions.js'
import { paymentsStore, type HistoryPage } from './store/payments.js'
import { payoutsStore } from './store/payouts.js'
import { providerEventsStore } from './store/provider-events.js'
import { quotesStore } from './store/quotes.js'
import { relaysStore } from './store/relays.js'
import { subscriptionsStore } from './store/subscriptions.js'
import { PAYMENT_ENTITIES, PAYMENT_MIGRATIONS } from './store/schema.js'
import { followPayment } from './subscriptions/follow-payment.js'

/** How long a rail, the router or the price source may take to answer. */
const PROVIDER_TIMEOUT_MS = 10_000
/** A price that is older is none. */
const PRICE_AGE_MAX_MS = 120_000
/** Sources may differ by two percent. */
const PRICE_DEVIATION_MAX = '1.02'
/** Shorter, as a charge may take a token and a question about what came of it besides. */
const PIX_TIMEOUT_MS = 5_000
/** Longer: an issuer may think for several seconds, and what was not waited for has to be followed. */
const CARD_TIMEOUT_MS = 9_000

/** What the deployment decides about payments. */
export interface PaymentsOptions extends Pick<
  PaymentsDeps,
  'settings' | 'checkWebhookUrl' | 'sessionLink' | 'quoteLifeMs'
> {
  clock: Clock
  newId: IdSource
  log: Logger
  priceUrl: string
  /** The second source of prices; without one the exchange alone has the word. */
  oracle: { url: string; apiKey: string | undefined } | undefined
  routerUrl: string
  routerApiKey: string | undefined
  operatorKey: string
  /** Signs the payouts on EVM chains; absent where nothing is charged in fiat. */
  treasuryEvmKey: string | undefined
  /** The same on Solana: 64 bytes, or the 32 of the seed. */
  treasurySolanaKey: Uint8Array | undefined
  /** Absent where the deployment has no Pix. */
  pix: PixSettings | undefined
  /** Absent where the deployment takes no cards. */
  card?: CardSettings | undefined
  /** Where providers reach us: `<base>/callbacks/<rail>/…`. */
  publicUrl: string
  /** The deployment's own, 32 bytes: callback addresses, hashed tax ids and sealed callbacks follow from it. */
  masterKey: Buffer
  /** Earlier ones: what they have sealed opens still. */
  previousMasterKeys?: readonly Buffer[]
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | undefined
  /** The other subgraphs that payments reads; without identity verification nobody has a record. */
  peers: { orders: SubgraphExecutor; accounts: SubgraphExecutor; kyc?: SubgraphExecutor | undefined }
}

/** Connects payments to its PostgreSQL schema. */
export function openPaymentsDatabase(options: { url: string; poolSize: number; log: Logger }): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'payments',
    entities: PAYMENT_ENTITIES,
    migrations: PAYMENT_MIGRATIONS,
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
    kycStanding: (subject) => readKycStanding(peers.kyc, context, subject),
    paymentById: perTenant((tenantId, ids) => shared.payments.findMany(tenantId, ids)),
    quoteById: perTenant((tenantId, ids) => shared.quotes.findMany(tenantId, ids)),
    chargeById: perTenant((tenantId, ids) => shared.charges.findMany(tenantId, ids)),
    historyById: perPage((tenantId, ids, page) => shared.payments.histories(tenantId, ids, page)),
    subscriptionOfPayment: perTenant((tenantId, ids) => shared.subscriptions.ofPayments(tenantId, ids)),
    subscriptionHistoryById: perPage((tenantId, ids, page) => shared.subscriptions.histories(tenantId, ids, page)),
  })
}

type SharedDeps = Omit<
  PaymentsDeps,
  | 'orderTemplate'
  | 'defaultIntegration'
  | 'kycStanding'
  | 'paymentById'
  | 'quoteById'
  | 'chargeById'
  | 'historyById'
  | 'subscriptionOfPayment'
  | 'subscriptionHistoryById'
>

function sharedDeps(db: Database, options: PaymentsOptions): SharedDeps {
  const { clock, newId, log, settings, checkWebhookUrl, sessionLink, quoteLifeMs } = options
  const masterKeys = [options.masterKey, ...(options.previousMasterKeys ?? [])]
  const provider = { timeoutMs: PROVIDER_TIMEOUT_MS, log, clock }
  const prices = priceSource(options)
  const evmClient = onePerChain<EvmChain, EvmClient>(createEvmClient)
  const solanaClient = onePerChain<SolanaChain, SolanaClient>(createSolanaClient)
  const signer = localSigner(options.operatorKey as Hex)
  const alerts = operatorAlerts(db, clock, log)
  const operator = createOperator({
    pool: db.pool,
    clock,
    alerts,
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
    ...paymentStores(db, options),
    quotes: quotesStore(db),
    relays: relaysStore(db),
    providerEvents: providerEventsStore(db, clock, keyRing(masterKeys, 'provider-events')),
    payouts: payoutsStore(db),
    landed: landedTransactionsStore(db),
    ledger: ledgerStore(db),
    alerts,
    lostJobs: lostJobsStore(db),
    rails: railsOf(options),
    payoutChains: payoutChains(options, evmClient, solanaClient),
    router: createLifiRouter({
      baseUrl: options.routerUrl,
      ...provider,
      ...(options.routerApiKey !== undefined && { apiKey: options.routerApiKey }),
    }),
    orderOf: (tenantId, id) => findOrderTemplate(options.peers.orders, workerFor(tenantId), id),
    productsOf: (tenantId) => readTenantProducts(options.peers.accounts, workerFor(tenantId)),
    findMarket: (from, to) => findMarket({ prices }, from, to),
    quoteMarket: (question) => quoteMarket({ prices }, question),
    evmClient,
    solanaClient,
    onChain: { evm: evmOnChain({ settings, evmClient }), solana: solanaOnChain({ settings, solanaClient }) },
    operator,
    settleStep: (payment) => settleStep({ settings, evmClient, operator }, payment),
    readArrival: (payment, hash) => readArrival({ settings, evmClient, solanaClient }, payment, hash),
    isSplit: (payment) => destinationOf({ settings }, payment, payment.chainName ?? '').split !== undefined,
    addJob: (em, job) => addJob(em, clock, job),
    addJobNow: (job) => addJob(db.orm.em.fork(), clock, job),
    isStopping: () => options.stopping?.aborted ?? false,
    delay: (ms) => delay(ms),
  }
}

/** What changes together: a payment's status, its charge, and the subscription that it begins or belongs to. */
function paymentStores(
  db: Database,
  { clock, newId }: PaymentsOptions,
): Pick<PaymentsDeps, 'payments' | 'charges' | 'subscriptions'> {
  const charges = chargesStore(db)
  const subscriptions = subscriptionsStore(db, clock)
  const following = {
    ...{ clock, newId, charges, subscriptions },
    addJob: (em: Transaction, job: JobRequest) => addJob(em, clock, job),
  }
  return { charges, subscriptions, payments: paymentsStore(db, clock, (em, it) => followPayment(following, em, it)) }
}

/** A job asks other subgraphs on behalf of the tenant that it works for. */
function workerFor(tenantId: string): RequestContext {
  return { requestId: 'worker', caller: { tenantId, keyId: 'worker', products: [] } }
}

/** The exchange's ticker, checked by the oracle where the deployment has one; the oracle stands in for it, and prices USD. */
function priceSource({ clock, log, priceUrl, oracle }: PaymentsOptions): PriceSource {
  const shared = { timeoutMs: PROVIDER_TIMEOUT_MS, log, clock }
  const ranked = (source: PriceSource) => ({ source: cachedPriceSource(source, clock), maxAgeMs: PRICE_AGE_MAX_MS })
  const ticker = ranked(exchangeTicker.create({ baseUrl: priceUrl, ...shared }))
  if (!oracle) return ticker.source
  const headers = oracle.apiKey === undefined ? {} : { authorization: `Bearer ${oracle.apiKey}` }
  const second = ranked(hermes.create({ baseUrl: oracle.url, headers, ...shared }))
  return orderedPriceSource({ sources: [ticker, second], deviationMax: PRICE_DEVIATION_MAX, clock, log })
}

/** The rails, with the providers that the deployment uses. */
function railsOf({ pix, card, clock, log, publicUrl, masterKey }: PaymentsOptions): PaymentsDeps['rails'] {
  const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
  return createRails({
    pix: pix && {
      settings: pix,
      clock,
      log,
      timeoutMs: PIX_TIMEOUT_MS,
      callbackBaseUrl: `${publicUrl}/callbacks/pix`,
      callbackKey: derived('callbacks'),
      taxIdKey: derived('tax-ids'),
    },
    card: card && { settings: card, clock, log, timeoutMs: CARD_TIMEOUT_MS, documentKey: derived('tax-ids') },
  })
}

/** The treasury on each family of chains that it has a key for. */
function payoutChains(
  { treasuryEvmKey, treasurySolanaKey }: PaymentsOptions,
  evmClient: PaymentsDeps['evmClient'],
  solanaClient: PaymentsDeps['solanaClient'],
): PaymentsDeps['payoutChains'] {
  return {
    ...(treasuryEvmKey !== undefined && { evm: evmPayouts({ signer: localSigner(treasuryEvmKey as Hex), evmClient }) }),
    ...(treasurySolanaKey && {
      solana: solanaPayouts({ signer: localSolanaSigner(treasurySolanaKey), solanaClient }),
    }),
  }
}

/** One client per chain, with connections of its own that are kept alive. */
function onePerChain<C extends Chain, Client>(create: (chain: C) => Client): (chain: C) => Client {
  const clients = new Map<Chain['name'], Client>()
  return (chain) => {
    const client = clients.get(chain.name) ?? create(chain)
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

/** A loader for each page of histories that a request asks for. */
function perPage<Entry>(
  load: (tenantId: string, ids: readonly string[], page: HistoryPage) => Promise<Entry[][]>,
): (tenantId: string, id: string, page: HistoryPage) => Promise<Entry[]> {
  const loaders = new Map<string, (tenantId: string, id: string) => Promise<Entry[]>>()
  return (tenantId, id, page) => {
    const name = `${page.first} ${page.after}`
    const loader = loaders.get(name) ?? perTenant((tenant, ids) => load(tenant, ids, page))
    loaders.set(name, loader)
    return loader(tenantId, id)
  }
}
