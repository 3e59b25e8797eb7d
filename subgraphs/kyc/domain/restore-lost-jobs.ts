import type { KycDeps } from '../deps.js'

/** Of each kind at once; the rest comes the next time. */
const BATCH = 100

/**
 * Adds the jobs again of what is open and has none: a job uses up its tries while a provider is away for days, and neither
 * a callback that was accepted nor an erasure may get lost by that. Each has a key, so that it is added once.
 */
export async function restoreLostJobs(
  deps: Pick<KycDeps, 'addJob' | 'log' | 'lostJobs' | 'transaction'>,
): Promise<void> {
  for (const job of await deps.lostJobs.find(BATCH)) {
    await deps.transaction((em) => deps.addJob(em, job))
    deps.log.warn({ job: job.name, key: job.key }, 'a job was lost and is added again')
  }
}
