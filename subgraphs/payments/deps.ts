import type { Pool } from 'pg'
import type { Chain, EvmChain, SolanaChain } from '../../chains/chain.js'
import type { EvmClient } from '../../chains/evm/client.js'
import type { SolanaClient } from '../../chains/solana/client.js'
import type { Clock } from '../../kernel/clock.js'
import type { Transaction } from '../../kernel/database.js'
import type { FieldFailure } from '../../kernel/errors.js'
import type { IdSource } from '../../kernel/ids.js'
import type { JobRequest } from '../../kernel/jobs.js'
import type { Logger } from '../../kernel/log.js'
import type { SubgraphContext } from '../../kernel/subgraph.js'
import type { Product } from '../../kernel/tenant.js'
import type { RegistrationSettings } from './domain/check-payment-input.js'
import type { DefaultIntegration } from './peers/default-integration.js'
import type { KycStanding, KycSubject } from './peers/kyc-standing.js'
import type { OrderTemplate } from './peers/order-template.js'
import type { PresentedMarket } from './prices/present-market.js'
import type { MarketQuestion } from './prices/quote-market.js'
import type { Market } from './prices/market.js'
import type { Operator } from './rails/crypto/operator.js'
import type { OnChain } from './rails/crypto/on-chain.js'
import type { Rail } from './rails/rail.js'
import type { Router } from './router/router.js'
import type { PayoutChain } from './settlement/payout-chain.js'
import type { Charge } from './store/charge.entity.js'
import type { ChargesStore } from './store/charges.js'
import type { LedgerStore } from './store/ledger.js'
import type { LandedTransactionsStore } from './store/landed-transactions.js'
import type { LostJobsStore } from './store/lost-jobs.js'
import type { OperatorAlerts } from './store/operator-alerts.js'
import type { Payment } from './store/payment.entity.js'
import type { HistoryEntry, HistoryPage, PaymentsStore } from './store/payments.js'
import type { PayoutsStore } from './store/payouts.js'
import type { ProviderEventsStore } from './store/provider-events.js'
import type { Quote, QuotesStore } from './store/quotes.js'
import type { RelaysStore } from './store/relays.js'
import type { Subscription } from './store/subscription.entity.js'
import type { SubscriptionEntry, SubscriptionsStore } from './store/subscriptions.js'

/** What the use cases of payments are given; wired once, in `context.ts`. */
export interface PaymentsDeps {
  clock: Clock
  newId: IdSource
  log: Logger
  settings: RegistrationSettings
  payments: PaymentsStore
  quotes: QuotesStore
  relays: RelaysStore
  subscriptions: SubscriptionsStore
  charges: ChargesStore
  providerEvents: ProviderEventsStore
  payouts: PayoutsStore
  landed: LandedTransactionsStore
  ledger: LedgerStore
  alerts: OperatorAlerts
  lostJobs: LostJobsStore
  /** For statements that are not a store's: idempotency keys and advisory locks. */
  pool: Pool
  rails: readonly Rail[]
  router: Router
  /** How long a quote is locked, in milliseconds. */
  quoteLifeMs: number
  /** The market from one currency to another; undefined where there is none. Throws provider_unavailable or provider_timeout. */
  findMarket: (from: string, to: string) => Promise<Market | undefined>
  evmClient: (chain: EvmChain) => EvmClient
  solanaClient: (chain: SolanaChain) => SolanaClient
  /** The signed side of chains, by family. */
  onChain: Partial<Record<Chain['family'], OnChain>>
  operator: Operator
  /** The treasury, by the family of chains that it pays out on. */
  payoutChains: Partial<Record<Chain['family'], PayoutChain>>
  /** Takes the next step of sharing out what a split's address holds. */
  settleStep: (payment: Payment) => Promise<'done' | 'stepped' | 'waiting'>
  /** Whether a bridge's transaction has paid what is due on the destination's chain. Throws confirm_rpc_unavailable. */
  readArrival: (payment: Payment, hash: string) => Promise<'arrived' | 'waiting' | 'missing'>
  /** Whether several receivers share the payment. */
  isSplit: (payment: Payment) => boolean
  /** Adds a job in the transaction of the change that causes it. */
  addJob: (em: Transaction, job: JobRequest) => Promise<void>
  /** Adds a job by itself. */
  addJobNow: (job: JobRequest) => Promise<void>
  /** Whether the process was told to stop: requests that only wait answer now. */
  isStopping: () => boolean
  /** Waits, in milliseconds; ends at once where time is a test's. */
  delay: (ms: number) => Promise<void>
  /** Reads one payment; all that one request asks for come in one statement. */
  paymentById: (tenantId: string, id: string) => Promise<Payment | undefined>
  quoteById: (tenantId: string, id: string) => Promise<Quote | undefined>
  chargeById: (tenantId: string, id: string) => Promise<Charge | undefined>
  historyById: (tenantId: string, paymentId: string, page: HistoryPage) => Promise<HistoryEntry[]>
  subscriptionOfPayment: (tenantId: string, paymentId: string) => Promise<Subscription | undefined>
  subscriptionHistoryById: (tenantId: string, subscriptionId: string, page: HistoryPage) => Promise<SubscriptionEntry[]>
  /** The order that the request's tenant names. Throws order_not_found. */
  orderTemplate: (id: string) => Promise<OrderTemplate>
  /** An order of any tenant, for jobs; undefined where there is none. */
  orderOf: (tenantId: string, id: string) => Promise<OrderTemplate | undefined>
  /** The products that a tenant has now, for jobs. */
  productsOf: (tenantId: string) => Promise<readonly Product[]>
  /** The integration of the request's tenant that is used where nothing names one. */
  defaultIntegration: () => Promise<DefaultIntegration | null>
  /** How far the identity verification of a payer of the request's tenant is. */
  kycStanding: (subject: KycSubject) => Promise<KycStanding>
  /** Answers the quote service. Throws params_mismatch, pair_not_found, provider_unavailable, provider_timeout. */
  quoteMarket: (question: MarketQuestion) => Promise<PresentedMarket>
  /** Why a webhook URL is not acceptable: https and public addresses only, or none of these in the sandbox. */
  checkWebhookUrl: (field: string, url: string) => Promise<FieldFailure[]>
  /** The signed link to the hosted payment page. */
  sessionLink: (payment: Pick<Payment, 'id' | 'tenantId' | 'createdAt'>) => string
}

export type PaymentsContext = SubgraphContext<PaymentsDeps>
