import type { JobKind } from '../../kernel/jobs.js'
import type { PaymentsDeps } from './deps.js'
import { followRoute } from './domain/follow-route.js'
import {
  ENSURE_CALLBACKS,
  PROCESS_PROVIDER_EVENT,
  RAISE_ALERT,
  RETURN_RECEIPT,
  WATCH_CHARGE,
} from './domain/charge-jobs.js'
import { ensureCallbacks } from './domain/ensure-callbacks.js'
import { CONFIRM_PAYMENT, FOLLOW_ROUTE, SETTLE_SPLIT, WATCH_GIVEN_UP } from './domain/payment-jobs.js'
import { processProviderEvent } from './domain/receive-callback.js'
import { resumeRelay } from './domain/resume-relay.js'
import { returnReceipt } from './domain/return-receipt.js'
import { settleSplit } from './domain/settle-split.js'
import { watchCharge } from './domain/watch-charge.js'
import { watchGivenUp } from './domain/watch-given-up.js'
import { followFinality } from './settlement/follow-finality.js'
import { FOLLOW_FINALITY } from './settlement/follow-jobs.js'
import { settleChain } from './settlement/settle-chain.js'
import { SETTLE_CHAIN } from './settlement/settlement-jobs.js'
import { chargePeriod } from './subscriptions/charge-period.js'
import { renewSubscription } from './subscriptions/renew-subscription.js'
import { CHARGE_SUBSCRIPTION, RENEW_SUBSCRIPTION } from './subscriptions/subscription-jobs.js'
import type { Alert } from './store/operator-alerts.js'

/** Every kind of background work of payments. */
export function paymentJobs(deps: PaymentsDeps): JobKind<never>[] {
  return [
    kind(deps, CHARGE_SUBSCRIPTION, chargePeriod),
    kind(deps, CONFIRM_PAYMENT, resumeRelay),
    kind(deps, ENSURE_CALLBACKS, ensureCallbacks),
    kind(deps, FOLLOW_FINALITY, followFinality),
    kind(deps, FOLLOW_ROUTE, followRoute),
    kind(deps, PROCESS_PROVIDER_EVENT, processProviderEvent),
    kind(deps, RAISE_ALERT, ({ alerts }, alert: Alert) => alerts.raise(alert)),
    kind(deps, RENEW_SUBSCRIPTION, renewSubscription),
    kind(deps, RETURN_RECEIPT, returnReceipt),
    kind(deps, SETTLE_CHAIN, settleChain),
    kind(deps, SETTLE_SPLIT, settleSplit),
    kind(deps, WATCH_CHARGE, watchCharge),
    kind(deps, WATCH_GIVEN_UP, watchGivenUp),
  ]
}

function kind<Payload>(
  deps: PaymentsDeps,
  name: string,
  work: (deps: PaymentsDeps, job: Payload) => Promise<void>,
): JobKind<never> {
  return { name, maxAttempts: 25, run: (job) => work(deps, job) }
}
