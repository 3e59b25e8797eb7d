import type { JobRequest } from '../../../kernel/jobs.js'
import { isByAddress } from '../model/payment-address.js'
import type { Runtime } from '../model/runtime.js'
import type { OnChains } from '../rails/on-chain.js'
import type { MissingSettlement } from '../store/missing-jobs.js'
import type { Stores } from '../store/stores.js'
import { SETTLE_CHAIN, SETTLE_PRIORITY } from '../settlement/settlement-jobs.js'
import { EVENT_ATTEMPTS, PROCESS_PROVIDER_EVENT, WATCH_CHARGE, WATCH_PRIORITY } from './charges/charge-jobs.js'
import { followRouteJob, settleSplitJob } from './transfers/transfer-jobs.js'

/** What restoring lost jobs needs. */
export type RestoreLostJobsDeps = OnChains &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'addJobNow' | 'missingJobs' | 'payments'>

/** What is younger is in its first job's hands: a request, or a worker that is about to plan the next look. */
const OPEN_FOR_MS = 300_000
/** Of each kind at once; the rest comes the next time. */
const BATCH = 100

/**
 * How a job of a kind is added again that is not as all others. What a provider told of is looked into as few times as at first: of 25 tries
 * the last are hours apart, and after an outage the next would come as late, while this search adds it again within minutes.
 */
const KIND_TERMS: Readonly<Record<string, Pick<JobRequest, 'maxAttempts' | 'priority'>>> = {
  [PROCESS_PROVIDER_EVENT]: { maxAttempts: EVENT_ATTEMPTS },
  [SETTLE_CHAIN]: { priority: SETTLE_PRIORITY },
  [WATCH_CHARGE]: { priority: WATCH_PRIORITY },
}

/**
 * Adds the jobs again of what is open and has none: a job that has used up its tries, or that was lost with a restored
 * database, would otherwise leave its money where it is. Each has a key, so that it is added once.
 */
export async function restoreLostJobs(deps: RestoreLostJobsDeps): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - OPEN_FOR_MS)
  const jobs: JobRequest[] = await deps.missingJobs.find(before, BATCH)
  for (const missing of await deps.missingJobs.findSettlements(before, BATCH)) {
    const job = await settlementJob(deps, missing)
    if (job) jobs.push(job)
  }
  for (const { name, payload, key } of jobs) {
    await deps.addJobNow({ name, payload, ...(key !== undefined && { key }), ...KIND_TERMS[name] })
    deps.log.warn({ job: name, payload }, 'a job was lost and is added again')
  }
}

/** The job that a payment needs whose payer has paid; undefined where nothing is left to do. */
async function settlementJob(deps: RestoreLostJobsDeps, missing: MissingSettlement): Promise<JobRequest | undefined> {
  const payment = await deps.payments.find(missing.tenantId, missing.paymentId)
  if (payment && isByAddress(payment)) return settleSplitJob(missing)
  const family = payment?.unsignedTransaction?.family
  const onChain = family && deps.onChain[family]
  if (!payment || !onChain) return undefined
  const { kind } = onChain.settlementOf(payment)
  if (kind === 'done') return undefined
  // A route is asked first: once it has arrived, it continues with the split by itself.
  return kind === 'route' ? followRouteJob(missing) : settleSplitJob(missing)
}
