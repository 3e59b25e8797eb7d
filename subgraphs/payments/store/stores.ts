import type { Clock } from '../../../kernel/clock.js'
import type { Database, Transaction } from '../../../kernel/database.js'
import type { KeyRing } from '../../../kernel/encryption.js'
import { addJob, type JobRequest } from '../../../kernel/jobs.js'
import type { Logger } from '../../../kernel/log.js'
import { acceptedPricesStore } from './accepted-prices.js'
import { addressesStore } from './addresses.js'
import { alertsStore } from './alerts.js'
import { broadcastsStore } from './broadcasts.js'
import { chargesStore, type ChargesStore } from './charges.js'
import { interventionsStore } from './interventions.js'
import { differencesStore } from './differences.js'
import { foreignStore } from './foreign-transfers.js'
import { feesStore } from './fees.js'
import { heldCoinsStore } from './held-coins.js'
import { landedTransactionsStore } from './landed-transactions.js'
import { ledgerStore } from './ledger.js'
import { missingJobsStore } from './missing-jobs.js'
import { ownerTransfersStore } from './owner-transfers.js'
import { payablesStore } from './payables.js'
import type { FollowChange } from './payment-changes.js'
import { paymentsStore } from './payments.js'
import { pausesStore } from './payout-pauses.js'
import { proposalsStore } from './proposals.js'
import { waitingPayoutsStore } from './waiting-payouts.js'
import { payoutsStore } from './payouts.js'
import { providerEventsStore } from './provider-events.js'
import { quotesStore } from './quotes.js'
import { receiptEmailsStore } from './receipt-emails.js'
import { reconciliationsStore } from './reconciliations.js'
import { referencesStore } from './references.js'
import { acceptedMoneyStore } from './accepted-money.js'
import { disputesStore } from './disputes.js'
import { movedMoneyStore } from './moved-money.js'
import { paymentReturnsStore } from './payment-returns.js'
import { refundsStore } from './refunds.js'
import { paymentSummariesStore } from './payment-summaries.js'
import { statementsStore } from './statements.js'
import { riskStore } from './risk.js'
import { subscriptionMailsStore, type SubscriptionMailsStore } from './subscription-mails.js'
import { subscriptionsStore, type SubscriptionsStore } from './subscriptions.js'
import { treasuryBooksStore } from './treasury-books.js'

/** What a payment's status changes too. */
interface Followed {
  charges: ChargesStore
  subscriptionMails: SubscriptionMailsStore
  subscriptions: SubscriptionsStore
  /** Adds a job in the transaction of the change that causes it. */
  addJob: (em: Transaction, job: JobRequest) => Promise<void>
}

/** What changes with a payment's status, or when its payer has paid, in the same transaction. */
export type FollowPayment = (stores: Followed, ...change: Parameters<FollowChange>) => Promise<void>

/** Everything that payments keep. A use case picks the stores that it reads and writes. */
export type Stores = ReturnType<typeof openStores>

/**
 * The stores over payments' own schema.
 * @param options.sealing seals what providers called us with
 * @param options.follow is told of every status that a payment comes to
 */
export function openStores(
  db: Database,
  { clock, log, sealing, follow }: { clock: Clock; log: Logger; sealing: KeyRing; follow: FollowPayment },
) {
  const followed: Followed = {
    charges: chargesStore(db),
    subscriptionMails: subscriptionMailsStore(db),
    subscriptions: subscriptionsStore(db, clock),
    addJob: (em, job) => addJob(em, clock, job),
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
    heldCoins: heldCoinsStore(db, clock),
    landed: landedTransactionsStore(db),
    ledger: ledgerStore(db),
    missingJobs: missingJobsStore(db),
    ownerTransfers: ownerTransfersStore(db, clock),
    payables: payablesStore(db),
    payments: paymentsStore(db, clock, (...change) => follow(followed, ...change)),
    pauses: pausesStore(db, clock),
    payouts: payoutsStore(db),
    proposals: proposalsStore(db),
    providerEvents: providerEventsStore(db, clock, sealing),
    quotes: quotesStore(db),
    receiptEmails: receiptEmailsStore(db),
    reconciliations: reconciliationsStore(db),
    references: referencesStore(db),
    refunds: refundsStore(db),
    acceptedMoney: acceptedMoneyStore(db),
    movedMoney: movedMoneyStore(db),
    disputes: disputesStore(db),
    paymentReturns: paymentReturnsStore(db),
    statements: statementsStore(db),
    summaries: paymentSummariesStore(db),
    treasuryBooks: treasuryBooksStore(db),
    waitingPayouts: waitingPayoutsStore(db),
    risk: riskStore(db),
    /** For statements that are not a store's: idempotency keys and advisory locks. */
    pool: db.pool,
    /** Adds a job by itself. */
    addJobNow: (job: JobRequest) => addJob(db.orm.em.fork(), clock, job),
  }
}
