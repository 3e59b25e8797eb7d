import type { Pool } from 'pg'
import type { Clock } from '../../../kernel/clock.js'
import type { Database, Transaction } from '../../../kernel/database.js'
import type { KeyRing } from '../../../kernel/encryption.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'
import type { Logger } from '../../../kernel/log.js'
import { acceptedPricesStore, type AcceptedPricesStore } from './accepted-prices.js'
import { addressesStore, type AddressesStore } from './addresses.js'
import { alertsStore, type AlertsStore } from './alerts.js'
import { broadcastsStore, type BroadcastsStore } from './broadcasts.js'
import { chargesStore, type ChargesStore } from './charges.js'
import { interventionsStore, type InterventionsStore } from './interventions.js'
import { differencesStore, type DifferencesStore } from './differences.js'
import { foreignStore, type ForeignStore } from './foreign-transfers.js'
import { feesStore, type FeesStore } from './fees.js'
import { landedTransactionsStore, type LandedTransactionsStore } from './landed-transactions.js'
import { ledgerStore, type LedgerStore } from './ledger.js'
import { missingJobsStore, type MissingJobsStore } from './missing-jobs.js'
import { ownerTransfersStore, type OwnerTransfersStore } from './owner-transfers.js'
import { payablesStore, type PayablesStore } from './payables.js'
import type { Payment } from './payment.entity.js'
import { paymentsStore, type PaymentsStore } from './payments.js'
import { pausesStore, type PausesStore } from './payout-pauses.js'
import { proposalsStore, type ProposalsStore } from './proposals.js'
import { waitingPayoutsStore, type WaitingPayoutsStore } from './waiting-payouts.js'
import { payoutsStore, type PayoutsStore } from './payouts.js'
import { providerEventsStore, type ProviderEventsStore } from './provider-events.js'
import { quotesStore, type QuotesStore } from './quotes.js'
import { receiptEmailsStore, type ReceiptEmailsStore } from './receipt-emails.js'
import { reconciliationsStore, type ReconciliationsStore } from './reconciliations.js'
import { referencesStore, type ReferencesStore } from './references.js'
import { disputesStore, type DisputesStore } from './disputes.js'
import { refundsStore, type RefundsStore } from './refunds.js'
import { paymentSummariesStore, type PaymentSummariesStore } from './payment-summaries.js'
import { statementsStore, type StatementsStore } from './statements.js'
import { riskStore, type RiskStore } from './risk.js'
import { subscriptionMailsStore, type SubscriptionMailsStore } from './subscription-mails.js'
import { subscriptionsStore, type SubscriptionsStore } from './subscriptions.js'
import { treasuryBooksStore, type TreasuryBooksStore } from './treasury-books.js'

/** Everything that payments keep. A use case picks the stores that it reads and writes. */
export interface Stores {
  acceptedPrices: AcceptedPricesStore
  addresses: AddressesStore
  alerts: AlertsStore
  broadcasts: BroadcastsStore
  charges: ChargesStore
  interventions: InterventionsStore
  differences: DifferencesStore
  fees: FeesStore
  foreign: ForeignStore
  landed: LandedTransactionsStore
  ledger: LedgerStore
  missingJobs: MissingJobsStore
  ownerTransfers: OwnerTransfersStore
  payables: PayablesStore
  payments: PaymentsStore
  pauses: PausesStore
  payouts: PayoutsStore
  proposals: ProposalsStore
  providerEvents: ProviderEventsStore
  quotes: QuotesStore
  receiptEmails: ReceiptEmailsStore
  reconciliations: ReconciliationsStore
  references: ReferencesStore
  refunds: RefundsStore
  disputes: DisputesStore
  statements: StatementsStore
  summaries: PaymentSummariesStore
  risk: RiskStore
  subscriptionMails: SubscriptionMailsStore
  subscriptions: SubscriptionsStore
  treasuryBooks: TreasuryBooksStore
  waitingPayouts: WaitingPayoutsStore
  /** For statements that are not a store's: idempotency keys and advisory locks. */
  pool: Pool
  /** Adds a job in the transaction of the change that causes it. */
  addJob: (em: Transaction, job: JobRequest) => Promise<void>
  /** Adds a job by itself. */
  addJobNow: (job: JobRequest) => Promise<void>
}

/** What changes with a payment's status, in the same transaction. */
export type FollowPayment = (
  stores: Pick<Stores, 'addJob' | 'charges' | 'subscriptionMails' | 'subscriptions'>,
  em: Transaction,
  payment: Payment,
) => Promise<void>

/**
 * The stores over payments' own schema.
 * @param options.sealing seals what providers called us with
 * @param options.follow is told of every status that a payment comes to
 */
export function openStores(
  db: Database,
  { clock, log, sealing, follow }: { clock: Clock; log: Logger; sealing: KeyRing; follow: FollowPayment },
): Stores {
  const followed = {
    charges: chargesStore(db),
    subscriptionMails: subscriptionMailsStore(db),
    subscriptions: subscriptionsStore(db, clock),
    addJob: (em: Transaction, job: JobRequest) => addJob(em, clock, job),
  }
  return {
    ...followed,
    acceptedPrices: acceptedPricesStore(db),
    addresses: addressesStore(db),
    alerts: alertsStore(db, clock, log),
    broadcasts: broadcastsStore(db),
    interventions: interventionsStore(db, clock),
    differences: differencesStore(db, clock),
    fees: feesStore(db),
    foreign: foreignStore(db, clock),
    landed: landedTransactionsStore(db),
    ledger: ledgerStore(db),
    missingJobs: missingJobsStore(db),
    ownerTransfers: ownerTransfersStore(db, clock),
    payables: payablesStore(db),
    payments: paymentsStore(db, clock, (em, payment) => follow(followed, em, payment)),
    pauses: pausesStore(db, clock),
    payouts: payoutsStore(db),
    proposals: proposalsStore(db),
    providerEvents: providerEventsStore(db, clock, sealing),
    quotes: quotesStore(db),
    receiptEmails: receiptEmailsStore(db),
    reconciliations: reconciliationsStore(db),
    references: referencesStore(db),
    refunds: refundsStore(db),
    disputes: disputesStore(db),
    statements: statementsStore(db),
    summaries: paymentSummariesStore(db),
    treasuryBooks: treasuryBooksStore(db),
    waitingPayouts: waitingPayoutsStore(db),
    risk: riskStore(db),
    pool: db.pool,
    addJobNow: (job) => addJob(db.orm.em.fork(), clock, job),
  }
}
