import { createHmac, hkdfSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Chain, EvmChain, SolanaChain } from '../../chains/chain.js'
import { createEvmClient, type EvmClient } from '../../chains/evm/client.js'
import type { Signer } from '../../chains/evm/signer.js'
import { watchReceipts } from '../../chains/evm/watch-receipts.js'
import { createSolanaClient, type SolanaClient } from '../../chains/solana/client.js'
import type { SolanaSigner } from '../../chains/solana/signer.js'
import { watchStatuses } from '../../chains/solana/watch-statuses.js'
import type { CheckAddress } from '../../kernel/address-guard.js'
import type { Clock } from '../../kernel/clock.js'
import type { MailMessage } from '../../kernel/mailer.js'
import { openDatabase, type Database, type DatabaseTimeouts } from '../../kernel/database.js'
import { keyRing } from '../../kernel/encryption.js'
import type { IdSource } from '../../kernel/ids.js'
import type { Logger } from '../../kernel/log.js'
import { reauthorization } from '../../kernel/reauthorize.js'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import { settingsFor } from '../../terms/check-terms.js'
import { integrationChecks } from '../../terms/integration.js'
import { webhookUrlCheck } from '../../terms/tenant-data.js'
import { countQueue } from './domain/risk/assert-within-limits.js'
import type { CheckRegistrationDeps } from './domain/registration/check-payment-input.js'
import type { SessionLinks } from './graphql/payment.fields.js'
import type { JobsDeps } from './jobs.js'
import type { ChainAccess, ChainWatches } from './model/chain-access.js'
import type { Runtime } from './model/runtime.js'
import { readDefaultIntegration } from './peers/default-integration.js'
import { kycRecordLookup, orderLookup } from './peers/existing.js'
import { readPayerDocument } from './peers/payer-document.js'
import { readKycStatus } from './peers/kyc-status.js'
import { findOrderTemplate, readOrderTemplate } from './peers/order-template.js'
import { readMerchantName } from './peers/merchant-name.js'
import { readTenantProducts } from './peers/tenant-products.js'
import { findMarket, type Markets } from './prices/market.js'
import { openPriceSources, type PriceSourcesOptions } from './prices/open-price-sources.js'
import { payableMarket } from './prices/payable-market.js'
import { DEFAULT_PRICE_RULES, type PriceRules } from './prices/price-rules.js'
import { quoteMarket } from './prices/quote-market.js'
import { rememberedPrices } from './prices/remembered-prices.js'
import { isWorthSharing } from './rails/crypto/check-split-cost.js'
import { destinationOf } from './rails/crypto/destination.js'
import { evmOnChain } from './rails/crypto/evm.js'
import { createGasPayer } from './rails/crypto/gas-payer.js'
import { addressDestination, readDeposited } from './rails/crypto/place-address.js'
import { readArrival } from './rails/crypto/receive.js'
import { settleStep } from './rails/crypto/settle-step.js'
import { solanaOnChain } from './rails/crypto/solana.js'
import type { GasPayer } from './rails/gas-payer.js'
import type { AddressReads, Arrivals, OnChains, SplitSteps } from './rails/on-chain.js'
import type { ConfiguredRail } from './rails/rail.js'
import { requestLoaders, type RequestLoaders } from './request-loaders.js'
import { createLifiRouter } from './router/lifi.js'
import { listScreen } from './screening/list-screen.js'
import { oracleScreen } from './screening/oracle-screen.js'
import { screenOf, type WalletScreen } from './screening/screen-wallets.js'
import { treasuryAccounts } from './settlement/signed-accounts.js'
import type { PayoutChains } from './settlement/treasury-accounts.js'
import { evmGasPayerAudit, type GasPayerAudit } from './settlement/gas-payer-audit.js'
import { gasPayerTransactionsStore } from './store/gas-payer-transactions.js'
import { PAYMENT_ENTITIES, PAYMENT_MIGRATIONS } from './store/schema.js'
import { openStores, type FollowPayment, type Stores } from './store/stores.js'
import type { ResolverDeps } from './subgraph.js'
import { followPayment } from './subscriptions/follow-payment.js'
import type { PayerMails } from './subscriptions/mails/ask-payer.js'
import { renewalShares } from './subscriptions/renewal-shares.js'

/** How long a rail, the router or the price source may take to answer. */
const PROVIDER_TIMEOUT_MS = 10_000

/** What the deployment decides about payments. */
export interface PaymentsOptions extends Pick<CheckRegistrationDeps, 'settings'>, SessionLinks, PriceSourcesOptions {
  /** Of webhook URLs. */
  checkAddress: CheckAddress
  /** How long a quote is locked, in milliseconds. */
  quoteLifeMs: number
  /** Above which sum of a currency an act of an operator about payouts needs a second one; nothing where absent. */
  twoPeopleAbove?: Readonly<Record<string, string>>
  /** See `SettleChainDeps`. */
  arePayoutsPaused?: boolean
  clock: Clock
  newId: IdSource
  log: Logger
  /** What is asked of prices; the defaults where absent. */
  priceRules?: PriceRules | undefined
  /** What screens wallets before money moves; each may be absent. */
  screening?: { listFile: string | undefined; oracles: Readonly<Record<string, string>> } | undefined
  routerUrl: string
  routerApiKey: string | undefined
  /** Signs for the account that pays the gas of what shares splits out. */
  gasPayerSigner: Signer
  /** Sign the payouts on EVM chains, one for each account; none where nothing is charged in fiat. */
  treasuryEvmSigners: readonly Signer[]
  /** The same on Solana. */
  treasurySolanaSigners: readonly SolanaSigner[]
  /** Those that the deployment uses. */
  rails: readonly ConfiguredRail[]
  /** Where providers reach us: `<base>/callbacks/<rail>/…`. */
  publicUrl: string
  /** The deployment's own, 32 bytes: callback addresses, hashed tax ids and sealed callbacks follow from it. */
  masterKey: Buffer
  /** Earlier ones: what they have sealed opens still. */
  previousMasterKeys?: readonly Buffer[]
  /** Absent where the deployment sends no e-mails. */
  sendMail?: ((message: MailMessage) => Promise<void>) | undefined
  /** How payers of subscriptions are asked by e-mail; absent where they are not. */
  subscriptionMails?: Omit<PayerMails, 'send'> | undefined
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | undefined
  /** The other subgraphs that payments reads; without identity verification nobody has a record. */
  peers: { orders: SubgraphExecutor; accounts: SubgraphExecutor; kyc?: SubgraphExecutor | undefined }
}

/** Connects payments to its PostgreSQL schema. */
export function openPaymentsDatabase(options: {
  url: string
  poolSize: number
  log: Logger
  timeouts?: DatabaseTimeouts
}): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'payments',
    entities: PAYMENT_ENTITIES,
    migrations: PAYMENT_MIGRATIONS,
  })
}

/** What the use cases of payments are given. */
export type PaymentsDeps = JobsDeps & ResolverDeps

/** Makes the dependencies of a request: everything shared, the peers on its behalf, and loaders that live as long as it. */
export function paymentsContext(db: Database, options: PaymentsOptions): (context: RequestContext) => PaymentsDeps {
  const shared = sharedDeps(db, options)
  const { peers, checkAddress } = options
  const checksOf = integrationChecks(peers.accounts)
  const reauthorizeFor = reauthorization(peers.accounts)
  return (context) => ({
    ...shared,
    settings: settingsFor(shared.settings, context.caller),
    checkIntegration: checksOf(context),
    reauthorize: reauthorizeFor(context),
    checkWebhookUrl: webhookUrlCheck(checkAddress, context),
    ...requestLoaders(shared),
    orderTemplate: (id) => readOrderTemplate(peers.orders, context, id),
    defaultIntegration: () => readDefaultIntegration(peers.accounts, context),
    kycStatus: (subject) => readKycStatus(peers.kyc, context, subject),
    comparePayerDocument: (subject) => readPayerDocument(peers.kyc, context, subject),
    ...{ hasOrder: orderLookup(peers.orders, context), hasKycRecord: kycRecordLookup(peers.kyc, context) },
  })
}

type SharedDeps = Omit<
  PaymentsDeps,
  | keyof RequestLoaders
  | 'checkIntegration'
  | 'reauthorize'
  | 'checkWebhookUrl'
  | 'orderTemplate'
  | 'defaultIntegration'
  | 'kycStatus'
  | 'comparePayerDocument'
  | 'hasOrder'
  | 'hasKycRecord'
>

function sharedDeps(db: Database, options: PaymentsOptions): SharedDeps {
  const { clock, newId, log, settings, sessionLink, quoteLifeMs, peers } = options
  const runtime: Runtime = {
    ...{ clock, newId, log },
    isStopping: () => options.stopping?.aborted ?? false,
    delay: (ms) => delay(ms),
  }
  const sealing = keyRing([options.masterKey, ...(options.previousMasterKeys ?? [])], 'provider-events')
  const payerMails = options.sendMail &&
    options.subscriptionMails && { ...options.subscriptionMails, send: options.sendMail }
  const follow: FollowPayment = (stores, em, payment, change) =>
    followPayment({ clock, newId, payerMails, ...stores }, em, payment, change)
  const stores = openStores(db, { clock, log, sealing, follow })
  const priceRules = options.priceRules ?? DEFAULT_PRICE_RULES
  const { deviationMaxPercent } = priceRules
  const prices = openPriceSources(options, { ...providerOf(options), rules: priceRules })
  const acceptedPrices = rememberedPrices(stores.acceptedPrices, clock)
  const pricing = { prices, deviationMaxPercent, priceRules, log, clock, alerts: stores.alerts, acceptedPrices }
  const markets: Markets = {
    findMarket: (from, to) => findMarket(pricing, from, to),
    payableMarket: (from, to, amount) => payableMarket(pricing, from, to, amount),
  }
  const chains: ChainAccess = {
    settings,
    evmClient: onePerChain<EvmChain, EvmClient>((chain) => createEvmClient(chain, { log })),
    solanaClient: onePerChain<SolanaChain, SolanaClient>((chain) => createSolanaClient(chain, { log })),
  }
  const router = createLifiRouter({ baseUrl: options.routerUrl, apiKey: options.routerApiKey, ...providerOf(options) })
  const arePayoutsPaused = options.arePayoutsPaused ?? false
  const twoPeopleAbove = options.twoPeopleAbove ?? {}
  const given = { ...runtime, ...markets, ...chains, quoteLifeMs, router, arePayoutsPaused, twoPeopleAbove }
  const { publicUrl, masterKey } = options
  const deriveKey = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
  const payerKey = deriveKey('payers')
  return {
    ...given,
    ...stores,
    ...chainDeps(db, options, chains, stores),
    ...{ settings, sessionLink },
    screen: screenOf(screensOf(options, chains)),
    countQueue: countQueue(),
    renewalShares: renewalShares(),
    hashPayer: (text) => createHmac('sha256', payerKey).update(text).digest('hex'),
    rails: options.rails.map((configured) => configured({ ...given, ...stores, publicUrl, deriveKey })),
    orderOf: (tenantId, id) => findOrderTemplate(peers.orders, workerFor(tenantId), id),
    ...{ database: db, sendMail: options.sendMail, payerMails },
    merchantNameOf: (tenantId) => readMerchantName(peers.accounts, workerFor(tenantId)),
    productsOf: (tenantId) => readTenantProducts(peers.accounts, workerFor(tenantId)),
    quoteMarket: (question) => quoteMarket(pricing, question),
  }
}

function screensOf({ screening, log }: PaymentsOptions, chains: ChainAccess): WalletScreen[] {
  const { listFile, oracles = {} } = screening ?? {}
  const byOracle = Object.keys(oracles).length > 0 ? [oracleScreen(chains, oracles)] : []
  return [...byOracle, ...(listFile === undefined ? [] : [listScreen(listFile, log)])]
}

/** The signed side of chains, the gas payer, and the treasury's accounts on each family of chains. */
function chainDeps(
  db: Database,
  { clock, log, gasPayerSigner, treasuryEvmSigners, treasurySolanaSigners }: PaymentsOptions,
  chains: ChainAccess,
  { alerts, ledger }: Stores,
): OnChains &
  SplitSteps &
  AddressReads &
  Arrivals &
  PayoutChains & { gasPayer: GasPayer; gasPayerAudit: GasPayerAudit } {
  const { evmClient } = chains
  const watches = watchesOf({ clock, log }, chains)
  const gasPayer = createGasPayer({
    ...{ pool: db.pool, clock, alerts, ledger, evmClient },
    signer: gasPayerSigner,
    transactions: gasPayerTransactionsStore(db),
  })
  return {
    gasPayer,
    gasPayerAudit: evmGasPayerAudit(gasPayerSigner.address, evmClient),
    onChain: { evm: evmOnChain({ ...chains, ...watches }), solana: solanaOnChain({ ...chains, ...watches }) },
    settleStep: (payment, due) => settleStep({ ...chains, ...watches, gasPayer, clock }, payment, due),
    isWorthSharing: (payment, amount) =>
      isWorthSharing(addressDestination(chains, payment, payment.chainName ?? ''), payment.toCurrencySymbol, amount),
    readDeposited: (address) => readDeposited(chains, address),
    readArrival: (payment, hash) => readArrival(chains, payment, hash),
    isSplit: (payment) => destinationOf(chains, payment, payment.chainName ?? '').split !== undefined,
    ...treasuryAccounts({ evm: treasuryEvmSigners, solana: treasurySolanaSigners }, chains),
  }
}

/** One watch per chain for requests and jobs of this process; it looks only while somebody waits there, or asks. */
function watchesOf(
  { clock, log }: Pick<Runtime, 'clock' | 'log'>,
  { evmClient, solanaClient }: ChainAccess,
): ChainWatches {
  const runtime = { delay: (ms: number) => delay(ms), nowMs: () => clock.steadyMs(), log }
  return {
    evmWatch: onePerChain((chain: EvmChain) => watchReceipts(evmClient(chain), chain, runtime)),
    solanaWatch: onePerChain((chain: SolanaChain) => watchStatuses(solanaClient(chain), chain, runtime)),
  }
}

/** What an HTTP client of a provider is made of. */
function providerOf({ clock, log }: PaymentsOptions) {
  return { timeoutMs: PROVIDER_TIMEOUT_MS, log, clock }
}

/** A job asks other subgraphs on behalf of the tenant that it works for. */
function workerFor(tenantId: string): RequestContext {
  return { requestId: 'worker', caller: { tenantId, keyId: 'worker', products: [] } }
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
