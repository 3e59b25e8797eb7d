import { BroadcastEntity } from './broadcasts.js'
import { ChargeEntity, ReceivedPaymentEntity, RefundEntity } from './charge.entity.js'
import { GasPayerTransactionEntity } from './gas-payer-transactions.js'
import { createPayments } from './migrations/0001-payments.js'
import { createRelays } from './migrations/0002-relays.js'
import { createCharges } from './migrations/0003-charges.js'
import { createSettlement } from './migrations/0004-settlement.js'
import { createCards } from './migrations/0005-cards.js'
import { createSubscriptions } from './migrations/0006-subscriptions.js'
import { indexOpenWork } from './migrations/0007-lost-jobs.js'
import { holdPayouts } from './migrations/0008-held-payouts.js'
import { makeRelaysUnique } from './migrations/0009-unique-relays.js'
import { addRequestFingerprints } from './migrations/0010-request-fingerprints.js'
import { followToFinality } from './migrations/0011-follow-to-finality.js'
import { batchPayouts } from './migrations/0012-payout-batches.js'
import { pausePayouts } from './migrations/0013-payout-pauses.js'
import { allowSubscriptionsWithoutOrder } from './migrations/0014-subscriptions-without-order.js'
import { searchPayments } from './migrations/0015-payment-search.js'
import { announceChanges } from './migrations/0016-announce-changes.js'
import { addRefunds } from './migrations/0017-refunds.js'
import { addReturnUrls } from './migrations/0018-return-urls.js'
import { addRefundReserve } from './migrations/0019-refund-reserve.js'
import { acceptPrices } from './migrations/0020-accepted-prices.js'
import { addInterventions } from './migrations/0023-interventions.js'
import { addSplitVersions } from './migrations/0024-split-versions.js'
import { coverEverything } from './migrations/0026-ledger-coverage.js'
import { closeLedger } from './migrations/0027-ledger-close.js'
import { reconcile } from './migrations/0028-reconciliation.js'
import { addFees } from './migrations/0031-fees.js'
import { addRisk } from './migrations/0032-risk.js'
import { addOperatorActs } from './migrations/0034-operator-acts.js'
import { addPaymentAddresses } from './migrations/0036-payment-addresses.js'
import { indexLists } from './migrations/0038-list-indexes.js'
import { addSlots } from './migrations/0040-slots.js'
import { addForeignTransfers } from './migrations/0041-foreign-transfers.js'
import { emailReceipts } from './migrations/0046-receipt-emails.js'
import { watchReferences } from './migrations/0045-watched-references.js'
import { addOwnerTransfers } from './migrations/0047-owner-transfers.js'
import { comparePayerDocuments } from './migrations/0050-payer-documents.js'
import { keepPayables } from './migrations/0051-payables.js'
import { mailSubscriptions } from './migrations/0052-subscription-mails.js'
import { pauseSubscriptions } from './migrations/0053-paused-subscriptions.js'
import { changePlans } from './migrations/0054-subscription-plans.js'
import { addTrials } from './migrations/0055-trials.js'
import { findSentPayouts } from './migrations/0060-sent-payouts.js'
import { addDurableNonces } from './migrations/0064-durable-nonces.js'
import { indexRefundLists } from './migrations/0066-refund-lists.js'
import { findDuePayouts } from './migrations/0070-due-payouts.js'
import { findLegsTriedAgain } from './migrations/0071-legs-tried-again.js'
import { findExplainedLines } from './migrations/0072-explained-lines.js'
import { addPlatformFee } from './migrations/0073-platform-fee.js'
import { addStuckCursors } from './migrations/0074-stuck-cursors.js'
import { addOrderSequences } from './migrations/0075-order-sequences.js'
import { tellWhatPayoutsWaitFor } from './migrations/0076-waiting-payouts.js'
import { addCoinsHeld } from './migrations/0077-coins-held.js'
import { keepUnreadChains } from './migrations/0078-unread-chains.js'
import { checkAddedEntries } from './migrations/0079-balanced-statements.js'
import { findGasPayerPurposes } from './migrations/0080-gas-payer-purposes.js'
import { indexAnnouncedEvents } from './migrations/0081-announced-events.js'
import { indexMoreOpenWork } from './migrations/0082-open-work.js'
import { addTreasuryAccounts } from './migrations/0086-treasury-accounts.js'
import { addPayersOfRelays } from './migrations/0087-payers-of-relays.js'
import { addTermsTogether } from './migrations/0088-terms-together.js'
import { addMissingSince } from './migrations/0089-missing-relays.js'
import { indexFingerprints } from './migrations/0090-old-fingerprints.js'
import { addMayBeSent } from './migrations/0091-doubtful-relays.js'
import { tellUnchargedPeriods } from './migrations/0092-uncharged-periods.js'
import { keepDisputes } from './migrations/0093-disputes.js'
import { addRefusedSince } from './migrations/0096-refused-relays.js'
import { addRevertedTries } from './migrations/0102-reverted-payouts.js'
import { addRefusedRefunds } from './migrations/0103-doubted-refusals.js'
import { addCarriedReferences } from './migrations/0104-carried-references.js'
import { explainOnce } from './migrations/0105-explained-once.js'
import { keepRefundShares } from './migrations/0108-refund-shares.js'
import { countWatchedByTenant } from './migrations/0109-watched-by-tenant.js'
import { findBankReferences } from './migrations/0112-bank-references.js'
import { waitForMissingGas } from './migrations/0115-missing-gas.js'
import { keepWhatLaidBefore } from './migrations/0116-laid-before.js'
import { keepChangedRefunds } from './migrations/0117-changed-refunds.js'
import { findReturnedReceipts } from './migrations/0119-returned-receipts.js'
import { explainPayoutsOnce } from './migrations/0120-refunded-payout-once.js'
import { endWatchesOnceRead } from './migrations/0121-ended-watches.js'
import { keepDepositsApart } from './migrations/0122-deposits-of-payments.js'
import { indexReturnLists } from './migrations/0123-return-lists.js'
import { keepAgreedTerms } from './migrations/0124-agreed-terms.js'
import { PaymentEntity, PaymentEventEntity } from './payment.entity.js'
import { BatchLegEntity, PayoutEntity, TreasuryTransactionEntity } from './payout.entity.js'
import { QuoteEntity } from './quotes.js'
import { SubscriptionEntity, SubscriptionEventEntity, SubscriptionPeriodEntity } from './subscription.entity.js'

export const PAYMENT_ENTITIES = [
  BatchLegEntity,
  ChargeEntity,
  GasPayerTransactionEntity,
  PaymentEntity,
  PaymentEventEntity,
  PayoutEntity,
  QuoteEntity,
  ReceivedPaymentEntity,
  RefundEntity,
  BroadcastEntity,
  SubscriptionEntity,
  SubscriptionEventEntity,
  SubscriptionPeriodEntity,
  TreasuryTransactionEntity,
] as const

/** In the order in which they run; one that was released is never changed. */
export const PAYMENT_MIGRATIONS = [
  { name: '0001-payments', statements: createPayments },
  { name: '0002-relays', statements: createRelays },
  { name: '0003-charges', statements: createCharges },
  { name: '0004-settlement', statements: createSettlement },
  { name: '0005-cards', statements: createCards },
  { name: '0006-subscriptions', statements: createSubscriptions },
  { name: '0007-lost-jobs', statements: indexOpenWork },
  { name: '0008-held-payouts', statements: holdPayouts },
  { name: '0009-unique-relays', statements: makeRelaysUnique },
  { name: '0010-request-fingerprints', statements: addRequestFingerprints },
  { name: '0011-follow-to-finality', statements: followToFinality },
  { name: '0012-payout-batches', statements: batchPayouts },
  { name: '0013-payout-pauses', statements: pausePayouts },
  { name: '0014-subscriptions-without-order', statements: allowSubscriptionsWithoutOrder },
  { name: '0015-payment-search', statements: searchPayments },
  { name: '0016-announce-changes', statements: announceChanges },
  { name: '0017-refunds', statements: addRefunds },
  { name: '0018-return-urls', statements: addReturnUrls },
  { name: '0019-refund-reserve', statements: addRefundReserve },
  { name: '0020-accepted-prices', statements: acceptPrices },
  { name: '0023-interventions', statements: addInterventions },
  { name: '0024-split-versions', statements: addSplitVersions },
  { name: '0026-ledger-coverage', statements: coverEverything },
  { name: '0027-ledger-close', statements: closeLedger },
  { name: '0028-reconciliation', statements: reconcile },
  { name: '0031-fees', statements: addFees },
  { name: '0032-risk', statements: addRisk },
  { name: '0034-operator-acts', statements: addOperatorActs },
  { name: '0036-payment-addresses', statements: addPaymentAddresses },
  { name: '0038-list-indexes', statements: indexLists },
  { name: '0040-slots', statements: addSlots },
  { name: '0041-foreign-transfers', statements: addForeignTransfers },
  { name: '0045-watched-references', statements: watchReferences },
  { name: '0046-receipt-emails', statements: emailReceipts },
  { name: '0047-owner-transfers', statements: addOwnerTransfers },
  { name: '0050-payer-documents', statements: comparePayerDocuments },
  { name: '0051-payables', statements: keepPayables },
  { name: '0052-subscription-mails', statements: mailSubscriptions },
  { name: '0053-paused-subscriptions', statements: pauseSubscriptions },
  { name: '0054-subscription-plans', statements: changePlans },
  { name: '0055-trials', statements: addTrials },
  { name: '0060-sent-payouts', statements: findSentPayouts },
  { name: '0064-durable-nonces', statements: addDurableNonces },
  { name: '0066-refund-lists', statements: indexRefundLists },
  { name: '0070-due-payouts', statements: findDuePayouts },
  { name: '0071-legs-tried-again', statements: findLegsTriedAgain },
  { name: '0072-explained-lines', statements: findExplainedLines },
  { name: '0073-platform-fee', statements: addPlatformFee },
  { name: '0074-stuck-cursors', statements: addStuckCursors },
  { name: '0075-order-sequences', statements: addOrderSequences },
  { name: '0076-waiting-payouts', statements: tellWhatPayoutsWaitFor },
  { name: '0077-coins-held', statements: addCoinsHeld },
  { name: '0078-unread-chains', statements: keepUnreadChains },
  { name: '0079-balanced-statements', statements: checkAddedEntries },
  { name: '0080-gas-payer-purposes', statements: findGasPayerPurposes },
  { name: '0081-announced-events', statements: indexAnnouncedEvents },
  { name: '0082-open-work', statements: indexMoreOpenWork },
  { name: '0086-treasury-accounts', statements: addTreasuryAccounts },
  { name: '0087-payers-of-relays', statements: addPayersOfRelays },
  { name: '0088-terms-together', statements: addTermsTogether },
  { name: '0089-missing-relays', statements: addMissingSince },
  { name: '0090-old-fingerprints', statements: indexFingerprints },
  { name: '0091-doubtful-relays', statements: addMayBeSent },
  { name: '0092-uncharged-periods', statements: tellUnchargedPeriods },
  { name: '0093-disputes', statements: keepDisputes },
  { name: '0096-refused-relays', statements: addRefusedSince },
  { name: '0102-reverted-payouts', statements: addRevertedTries },
  { name: '0103-doubted-refusals', statements: addRefusedRefunds },
  { name: '0104-carried-references', statements: addCarriedReferences },
  { name: '0105-explained-once', statements: explainOnce },
  { name: '0108-refund-shares', statements: keepRefundShares },
  { name: '0109-watched-by-tenant', statements: countWatchedByTenant, isConcurrent: true },
  { name: '0112-bank-references', statements: findBankReferences, isConcurrent: true },
  { name: '0115-missing-gas', statements: waitForMissingGas },
  { name: '0116-laid-before', statements: keepWhatLaidBefore },
  { name: '0117-changed-refunds', statements: keepChangedRefunds },
  { name: '0119-returned-receipts', statements: findReturnedReceipts, isConcurrent: true },
  { name: '0120-refunded-payout-once', statements: explainPayoutsOnce, isConcurrent: true },
  { name: '0121-ended-watches', statements: endWatchesOnceRead },
  { name: '0122-deposits-of-payments', statements: keepDepositsApart },
  { name: '0123-return-lists', statements: indexReturnLists, isConcurrent: true },
  { name: '0124-agreed-terms', statements: keepAgreedTerms },
] as const
