import { Logger as WorkerLogger } from 'graphile-worker'
import type { Logger } from './log.js'

/** graphile-worker's messages in our log. Its "info" tells of every single job: that is "debug" to us. */
export function workerLog(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ from: 'jobs' }, message)
    else if (level === 'warning') log.warn({ from: 'jobs' }, message)
    else log.debug({ from: 'jobs' }, message)
  })
}
