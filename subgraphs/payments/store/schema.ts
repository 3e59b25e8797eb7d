import { BroadcastEntity } from './broadcasts.js'
import { ChargeEntity, ReceivedPaymentEntity, RefundEntity } from './charge.entity.js'
import { GasPayerTransactionEntity } from './gas-payer-transactions.js'
import { CreatePayments } from './migrations/0001-payments.js'
import { CreateRelays } from './migrations/0002-relays.js'
import { CreateCharges } from './migrations/0003-charges.js'
import { CreateSettlement } from './migrations/0004-settlement.js'
import { CreateCards } from './migrations/0005-cards.js'
import { CreateSubscriptions } from './migrations/0006-subscriptions.js'
import { IndexOpenWork } from './migrations/0007-lost-jobs.js'
import { HoldPayouts } from './migrations/0008-held-payouts.js'
import { MakeRelaysUnique } from './migrations/0009-unique-relays.js'
import { AddRequestFingerprints } from './migrations/0010-request-fingerprints.js'
import { FollowToFinality } from './migrations/0011-follow-to-finality.js'
import { BatchPayouts } from './migrations/0012-payout-batches.js'
import { PausePayouts } from './migrations/0013-payout-pauses.js'
import { AllowSubscriptionsWithoutOrder } from './migrations/0014-subscriptions-without-order.js'
import { SearchPayments } from './migrations/0015-payment-search.js'
import { AnnounceChanges } from './migrations/0016-announce-changes.js'
import { AddRefunds } from './migrations/0017-refunds.js'
import { AddReturnUrls } from './migrations/0018-return-urls.js'
import { AddRefundReserve } from './migrations/0019-refund-reserve.js'
import { AcceptPrices } from './migrations/0020-accepted-prices.js'
import { AddInterventions } from './migrations/0023-interventions.js'
import { AddSplitVersions } from './migrations/0024-split-versions.js'
import { CoverEverything } from './migrations/0026-ledger-coverage.js'
import { CloseLedger } from './migrations/0027-ledger-close.js'
import { Reconcile } from './migrations/0028-reconciliation.js'
import { AddFees } from './migrations/0031-fees.js'
import { AddRisk } from './migrations/0032-risk.js'
import { AddOperatorActs } from './migrations/0034-operator-acts.js'
import { AddPaymentAddresses } from './migrations/0036-payment-addresses.js'
import { IndexLists } from './migrations/0038-list-indexes.js'
import { AddSlots } from './migrations/0040-slots.js'
import { AddForeignTransfers } from './migrations/0041-foreign-transfers.js'
import { EmailReceipts } from './migrations/0046-receipt-emails.js'
import { WatchReferences } from './migrations/0045-watched-references.js'
import { AddOwnerTransfers } from './migrations/0047-owner-transfers.js'
import { ComparePayerDocuments } from './migrations/0050-payer-documents.js'
import { KeepPayables } from './migrations/0051-payables.js'
import { MailSubscriptions } from './migrations/0052-subscription-mails.js'
import { PauseSubscriptions } from './migrations/0053-paused-subscriptions.js'
import { ChangePlans } from './migrations/0054-subscription-plans.js'
import { AddTrials } from './migrations/0055-trials.js'
import { FindSentPayouts } from './migrations/0060-sent-payouts.js'
import { AddDurableNonces } from './migrations/0064-durable-nonces.js'
import { IndexRefundLists } from './migrations/0066-refund-lists.js'
import { FindDuePayouts } from './migrations/0070-due-payouts.js'
import { FindLegsTriedAgain } from './migrations/0071-legs-tried-again.js'
import { FindExplainedLines } from './migrations/0072-explained-lines.js'
import { AddPlatformFee } from './migrations/0073-platform-fee.js'
import { AddStuckCursors } from './migrations/0074-stuck-cursors.js'
import { AddOrderSequences } from './migrations/0075-order-sequences.js'
import { TellWhatPayoutsWaitFor } from './migrations/0076-waiting-payouts.js'
import { AddCoinsHeld } from './migrations/0077-coins-held.js'
import { KeepUnreadChains } from './migrations/0078-unread-chains.js'
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
  { name: '0001-payments', class: CreatePayments },
  { name: '0002-relays', class: CreateRelays },
  { name: '0003-charges', class: CreateCharges },
  { name: '0004-settlement', class: CreateSettlement },
  { name: '0005-cards', class: CreateCards },
  { name: '0006-subscriptions', class: CreateSubscriptions },
  { name: '0007-lost-jobs', class: IndexOpenWork },
  { name: '0008-held-payouts', class: HoldPayouts },
  { name: '0009-unique-relays', class: MakeRelaysUnique },
  { name: '0010-request-fingerprints', class: AddRequestFingerprints },
  { name: '0011-follow-to-finality', class: FollowToFinality },
  { name: '0012-payout-batches', class: BatchPayouts },
  { name: '0013-payout-pauses', class: PausePayouts },
  { name: '0014-subscriptions-without-order', class: AllowSubscriptionsWithoutOrder },
  { name: '0015-payment-search', class: SearchPayments },
  { name: '0016-announce-changes', class: AnnounceChanges },
  { name: '0017-refunds', class: AddRefunds },
  { name: '0018-return-urls', class: AddReturnUrls },
  { name: '0019-refund-reserve', class: AddRefundReserve },
  { name: '0020-accepted-prices', class: AcceptPrices },
  { name: '0023-interventions', class: AddInterventions },
  { name: '0024-split-versions', class: AddSplitVersions },
  { name: '0026-ledger-coverage', class: CoverEverything },
  { name: '0027-ledger-close', class: CloseLedger },
  { name: '0028-reconciliation', class: Reconcile },
  { name: '0031-fees', class: AddFees },
  { name: '0032-risk', class: AddRisk },
  { name: '0034-operator-acts', class: AddOperatorActs },
  { name: '0036-payment-addresses', class: AddPaymentAddresses },
  { name: '0038-list-indexes', class: IndexLists },
  { name: '0040-slots', class: AddSlots },
  { name: '0041-foreign-transfers', class: AddForeignTransfers },
  { name: '0045-watched-references', class: WatchReferences },
  { name: '0046-receipt-emails', class: EmailReceipts },
  { name: '0047-owner-transfers', class: AddOwnerTransfers },
  { name: '0050-payer-documents', class: ComparePayerDocuments },
  { name: '0051-payables', class: KeepPayables },
  { name: '0052-subscription-mails', class: MailSubscriptions },
  { name: '0053-paused-subscriptions', class: PauseSubscriptions },
  { name: '0054-subscription-plans', class: ChangePlans },
  { name: '0055-trials', class: AddTrials },
  { name: '0060-sent-payouts', class: FindSentPayouts },
  { name: '0064-durable-nonces', class: AddDurableNonces },
  { name: '0066-refund-lists', class: IndexRefundLists },
  { name: '0070-due-payouts', class: FindDuePayouts },
  { name: '0071-legs-tried-again', class: FindLegsTriedAgain },
  { name: '0072-explained-lines', class: FindExplainedLines },
  { name: '0073-platform-fee', class: AddPlatformFee },
  { name: '0074-stuck-cursors', class: AddStuckCursors },
  { name: '0075-order-sequences', class: AddOrderSequences },
  { name: '0076-waiting-payouts', class: TellWhatPayoutsWaitFor },
  { name: '0077-coins-held', class: AddCoinsHeld },
  { name: '0078-unread-chains', class: KeepUnreadChains },
] as const
