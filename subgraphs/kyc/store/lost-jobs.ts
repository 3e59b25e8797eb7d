import { run, type Database } from '../../../kernel/database.js'
import { hasLiveJob } from '../../../kernel/jobs.js'
import { FORGET_SESSION, forgetJobKey } from '../forget-job.js'
import { callbackJobKey, PROCESS_CALLBACK } from './provider-events.js'

/** Open work whose job is missing. */
interface LostJob {
  name: string
  payload: Record<string, string>
  key: string
}

const CALLBACK_KEY = callbackJobKey('verifier', 'event_key')
const FORGET_KEY = forgetJobKey('session.tenant_id', 'session.id')

/** The work is written down with its job, and ends before it: no time lies between the two. */
const FIND = {
  name: 'kyc_lost_jobs_find',
  text: `(select '${PROCESS_CALLBACK}' as name, ${CALLBACK_KEY} as key,
        json_build_object('verifier', verifier, 'eventKey', event_key, 'sessionId', session_id) as payload
      from kyc.provider_event where processed_at is null and session_id is not null
        and not ${hasLiveJob(`array[${CALLBACK_KEY}]`)} order by received_at limit $1)
    union all
    (select '${FORGET_SESSION}', ${FORGET_KEY},
        json_build_object('verifier', verifier, 'providerSessionId', to_forget)
      from kyc.session as session where to_forget is not null and not ${hasLiveJob(`array[${FORGET_KEY}]`)} limit $1)`,
}

export type LostJobsStore = ReturnType<typeof lostJobsStore>

export function lostJobsStore({ pool }: Database) {
  return {
    /** Callbacks that are open, and sessions that are to be forgotten, without a job that does it: so many of each. */
    find: (limit: number): Promise<LostJob[]> => run<LostJob & Record<string, unknown>>(pool, FIND, [limit]),
  }
}
