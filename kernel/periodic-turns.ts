import { run, type Queryable } from './database.js'
import type { PeriodicJob } from './jobs.js'
import type { Logger } from './log.js'

/** What the names of the queues of periodic work begin with. */
export const PERIODIC = 'periodic:'

/**
 * When periodic work comes. Of each kind one turn runs, in a queue of its own, and one waits at most: a turn that nobody has begun stays where
 * it is in the queue, one that has failed is tried again or replaced by the next turn, whichever comes first, and while one runs the next waits.
 */
export function cronLine({ cron, name }: PeriodicJob): string {
  const only = `${PERIODIC}${name}`
  return `${cron} ${name} ?jobKey=${only}&jobKeyMode=preserve_run_at&queue=${only}${fillOf(cron)}`
}

/**
 * Work is made up for where nobody was there at its minute: of an hour within half a day, of some minutes within as many. What comes
 * every minute only waits for its next turn.
 */
function fillOf(cron: string): string {
  const [minute = '', hour = ''] = cron.split(' ')
  if (minute === '*') return ''
  const every = /^\*\/(\d+)$/.exec(minute)?.[1]
  if (every !== undefined) return `&fill=${every}m`
  return hour === '*' ? '&fill=1h' : '&fill=12h'
}

const IS_REPLACED = {
  name: 'periodic_is_replaced',
  text: `select from graphile_worker._private_jobs where id = $1::bigint and key is null and attempts >= max_attempts`,
}

/**
 * Runs one turn of periodic work. One that has failed while the next came to wait is over: nobody would try it again, and it would
 * stay in the queue as work that was given up.
 * @param id of the job
 * @throws what the work throws, where it is to be tried again
 */
export async function runTurn(
  { pool, log }: { pool: Queryable; log: Logger },
  id: string,
  job: PeriodicJob,
): Promise<void> {
  try {
    await job.run()
  } catch (error) {
    const replaced = await run(pool, IS_REPLACED, [id]).catch(() => [])
    if (replaced.length === 0) throw error
    log.error({ err: error, job: job.name }, 'a turn of periodic work has failed; the next one waits')
  }
}
