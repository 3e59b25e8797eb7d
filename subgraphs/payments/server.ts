import type { Database } from '../../kernel/database.js'
import { createMailer } from '../../kernel/mailer.js'
import { runningSubgraph } from '../../kernel/running-subgraph.js'
import type { RequestContext, RunningSubgraph } from '../../kernel/subgraph.js'
import { openPaymentsDatabase, paymentsContext, type PaymentsOptions } from './context.js'
import { ENSURE_CALLBACKS } from './domain/charges/charge-jobs.js'
import { forgetFingerprints } from './domain/charges/forget-fingerprints.js'
import { closeDays } from './domain/close-ledger.js'
import { compareAdded } from './domain/reconciliation/compare-added.js'
import { reconcileAll } from './domain/reconciliation/reconcile-jobs.js'
import { restoreLostJobs } from './domain/restore-lost-jobs.js'
import { syncReceived } from './domain/reconciliation/sync-received.js'
import { startWatching } from './domain/deposits/watch-addresses.js'
import { startFollowing } from './domain/transfers/follow-finality.js'
import { startWatchingReferences } from './domain/transfers/watch-references.js'
import { paymentJobs } from './jobs.js'
import { reportUnpriced } from './prices/report-unpriced.js'
import { paymentGauges } from './store/gauges.js'
import { checkChains } from './settlement/check-chains.js'
import { paymentsSubgraph } from './subgraph.js'
import { resumeSubscriptions } from './subscriptions/resume-subscriptions.js'

/** The jobs run for the deployment, not for a caller: they name their tenant in every read. */
const WORKER: RequestContext = { requestId: 'worker', caller: { tenantId: null, keyId: 'worker', products: [] } }

const MAIL_TIMEOUT_MS = 10_000

/** Starts the payments subgraph on its database. */
export async function startPayments(
  options: PaymentsOptions & {
    databaseUrl: string
    poolSize: number
    /** The mail server of receipts; without one none is sent. */
    mail?: { url: string; from: string } | undefined
  },
): Promise<RunningSubgraph> {
  const db: Database = await openPaymentsDatabase({
    url: options.databaseUrl,
    poolSize: options.poolSize,
    log: options.log,
  })
  const mailer = options.mail && createMailer({ ...options.mail, timeoutMs: MAIL_TIMEOUT_MS, log: options.log })
  const depsOf = paymentsContext(db, { ...options, sendMail: mailer?.send })
  const worker = depsOf(WORKER)
  const registration = { name: ENSURE_CALLBACKS, payload: {}, key: ENSURE_CALLBACKS }
  await worker.addJobNow(registration)
  await compareAdded(worker)
  void reportUnpriced(worker)
  void checkChains(worker).catch((error: unknown) => {
    options.log.warn({ err: error }, 'the chains could not be compared with their settings')
  })
  return {
    ...runningSubgraph(paymentsSubgraph, db, depsOf, options),
    jobs: paymentJobs(worker),
    periodic: [
      { name: 'renew-callbacks', cron: '7 * * * *', run: () => worker.addJobNow(registration) },
      { name: 'find-overdue-subscriptions', cron: '37 * * * *', run: () => resumeSubscriptions(worker) },
      { name: 'close-ledger', cron: '23 4 * * *', run: () => closeDays(worker) },
      { name: 'start-reconciling', cron: '41 4 * * *', run: () => reconcileAll(worker) },
      { name: 'start-following', cron: '* * * * *', run: () => startFollowing(worker) },
      { name: 'check-chains', cron: '23 * * * *', run: () => checkChains(worker) },
      { name: 'close-alerts', cron: '* * * * *', run: () => worker.alerts.closeGone() },
      { name: 'sync-received', cron: '*/5 * * * *', run: () => syncReceived(worker) },
      { name: 'start-watching-addresses', cron: '* * * * *', run: () => startWatching(worker) },
      { name: 'start-watching-references', cron: '* * * * *', run: () => startWatchingReferences(worker) },
      { name: 'revive-payment-jobs', cron: '*/3 * * * *', run: () => restoreLostJobs(worker) },
      { name: 'forget-fingerprints', cron: '*/10 * * * *', run: () => forgetFingerprints(worker) },
    ],
    gauges: paymentGauges(db),
    close: async () => {
      mailer?.close()
      await db.close()
    },
  }
}
