import type { JobKind } from '../../kernel/jobs.js'
import { ENSURE_CALLBACKS, PROCESS_PROVIDER_EVENT, WATCH_CHARGE } from './domain/charges/charge-jobs.js'
import { ensureCallbacks } from './domain/charges/ensure-callbacks.js'
import { processProviderEvent, type ProcessProviderEventDeps } from './domain/charges/receive-callback.js'
import { SEND_REFUND } from './domain/refunds/refund-jobs.js'
import { sendRefund, type SendRefundDeps } from './domain/refunds/send-refund.js'
import { watchCharge, type WatchChargeDeps } from './domain/charges/watch-charge.js'
import { WATCH_ADDRESSES } from './domain/deposits/deposit-jobs.js'
import { watchAddresses, type WatchAddressesDeps } from './domain/deposits/watch-addresses.js'
import { SEND_RECEIPT } from './domain/receipts/receipt-jobs.js'
import { sendReceipt, type SendReceiptDeps } from './domain/receipts/send-receipt.js'
import { RECONCILE, reconcile, type ReconcileDeps } from './domain/reconciliation/reconcile-jobs.js'
import { followFinality, type FollowFinalityDeps } from './domain/transfers/follow-finality.js'
import { followRoute, type FollowRouteDeps } from './domain/transfers/follow-route.js'
import { resumeBroadcast, type ResumeBroadcastDeps } from './domain/transfers/resume-broadcast.js'
import { settleSplit, type SettleSplitDeps } from './domain/transfers/settle-split.js'
import { takeUpSent, type TakeUpSentDeps } from './domain/transfers/take-up-sent.js'
import {
  CONFIRM_PAYMENT,
  FIND_SENT,
  FOLLOW_ROUTE,
  SETTLE_SPLIT,
  WATCH_BUILT,
  WATCH_DROPPED,
} from './domain/transfers/transfer-jobs.js'
import { watchBuilt, type WatchBuiltDeps } from './domain/transfers/watch-built.js'
import { watchDropped, type WatchDroppedDeps } from './domain/transfers/watch-dropped.js'
import { WATCH_REFERENCES, watchReferences, type WatchReferencesDeps } from './domain/transfers/watch-references.js'
import { RAISE_ALERT } from './settlement/alert-job.js'
import { FOLLOW_FINALITY } from './settlement/follow-jobs.js'
import { settleChain } from './settlement/settle-chain.js'
import { STOP_PAYOUTS, stopPayouts, type StopPayoutsDeps } from './settlement/stop-payouts.js'
import type { SettleChainDeps } from './settlement/treasury.js'
import { SETTLE_CHAIN } from './settlement/settlement-jobs.js'
import type { Alert } from './store/alerts.js'
import type { ChargePeriodDeps } from './subscriptions/charge-period.js'
import { MAIL_SUBSCRIPTION } from './subscriptions/mails/mail-jobs.js'
import { mailPayer, type MailPayerDeps } from './subscriptions/mails/mail-payer.js'
import { chargePeriodInShare, renewSubscriptionInShare, type RenewalShareDeps } from './subscriptions/renewal-shares.js'
import type { RenewSubscriptionDeps } from './subscriptions/renew-subscription.js'
import { CHARGE_SUBSCRIPTION, RENEW_SUBSCRIPTION } from './subscriptions/subscription-jobs.js'

/** What the jobs need. */
export type JobsDeps = ChargePeriodDeps &
  FollowFinalityDeps &
  FollowRouteDeps &
  MailPayerDeps &
  ProcessProviderEventDeps &
  ReconcileDeps &
  RenewalShareDeps &
  RenewSubscriptionDeps &
  ResumeBroadcastDeps &
  SendReceiptDeps &
  SendRefundDeps &
  SettleChainDeps &
  SettleSplitDeps &
  StopPayoutsDeps &
  TakeUpSentDeps &
  WatchAddressesDeps &
  WatchBuiltDeps &
  WatchChargeDeps &
  WatchDroppedDeps &
  WatchReferencesDeps

/** Every kind of background work of payments. */
export function paymentJobs(deps: JobsDeps): JobKind<never>[] {
  return [
    kind(deps, CHARGE_SUBSCRIPTION, chargePeriodInShare),
    kind(deps, CONFIRM_PAYMENT, resumeBroadcast),
    kind(deps, ENSURE_CALLBACKS, ensureCallbacks),
    kind(deps, FIND_SENT, takeUpSent),
    kind(deps, FOLLOW_FINALITY, followFinality),
    kind(deps, FOLLOW_ROUTE, followRoute),
    kind(deps, MAIL_SUBSCRIPTION, mailPayer),
    kind(deps, PROCESS_PROVIDER_EVENT, processProviderEvent),
    kind(deps, RAISE_ALERT, ({ alerts }, alert: Alert) => alerts.raiseBeside(alert)),
    kind(deps, RECONCILE, reconcile),
    kind(deps, RENEW_SUBSCRIPTION, renewSubscriptionInShare),
    kind(deps, SEND_RECEIPT, sendReceipt),
    kind(deps, SEND_REFUND, sendRefund),
    kind(deps, SETTLE_CHAIN, settleChain),
    kind(deps, SETTLE_SPLIT, settleSplit),
    kind(deps, STOP_PAYOUTS, stopPayouts),
    kind(deps, WATCH_ADDRESSES, watchAddresses),
    kind(deps, WATCH_BUILT, watchBuilt),
    kind(deps, WATCH_CHARGE, watchCharge),
    kind(deps, WATCH_DROPPED, watchDropped),
    kind(deps, WATCH_REFERENCES, watchReferences),
  ]
}

function kind<Deps, Payload>(
  deps: Deps,
  name: string,
  work: (deps: Deps, job: Payload) => Promise<void>,
): JobKind<never> {
  return { name, maxAttempts: 25, run: (job) => work(deps, job) }
}
