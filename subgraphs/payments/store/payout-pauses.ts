import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { addJobs, type JobRequest } from '../../../kernel/jobs.js'

/** Which payouts an operator has paused; what is absent is any. */
export interface PauseScope {
  chainName?: string | undefined
  tenantId?: string | undefined
}

/** A pause as it stands. */
export interface PayoutPause extends PauseScope {
  reason: string
  since: Date
}

/** Stands for any chain or tenant: a key may hold no null. */
const ANY = '*'

/** A condition of SQL on a row of payouts: nobody has paused it. */
export const IS_NOT_PAUSED = `not exists (select from payments.payout_pause as pause
  where pause.chain_name in (payout.chain_name, '${ANY}') and pause.tenant_id in (payout.tenant_id, '${ANY}'))`

const PAUSE = `insert into payments.payout_pause (chain_name, tenant_id, reason, since) values (?, ?, ?, ?::timestamptz)
  on conflict (chain_name, tenant_id) do update set reason = excluded.reason`

const RESUME = 'delete from payments.payout_pause where chain_name = ? and tenant_id = ? returning 1'

const WAITING_CHAINS = `select distinct chain_name as "chainName" from payments.payout where state = 'waiting'`

const LIST = `select nullif(chain_name, '${ANY}') as "chainName", nullif(tenant_id, '${ANY}') as "tenantId", reason, since
  from payments.payout_pause order by since limit 1000`

/** The pauses of payouts. */
export function pausesStore(db: Database, clock: Clock) {
  return {
    /**
     * Stops payouts that have no transaction yet; those on their way are followed to their end. A second time it changes the
     * reason only.
     */
    pause: async ({ chainName = ANY, tenantId = ANY }: PauseScope, reason: string): Promise<void> => {
      await inTransaction(db, (em) => executeIn(em, PAUSE, [chainName, tenantId, reason, clock.now().toISOString()]))
    },
    /**
     * Ends the pause of exactly this scope; another may still hold.
     * @param settle the job that brings a chain's payouts on
     * @returns whether there was one
     */
    resume: (
      { chainName = ANY, tenantId = ANY }: PauseScope,
      settle: (chainName: string) => JobRequest,
    ): Promise<boolean> =>
      inTransaction(db, async (em) => {
        const ended = await executeIn(em, RESUME, [chainName, tenantId])
        const chains = await executeIn<{ chainName: string }>(em, WAITING_CHAINS, [])
        await addJobs(em, clock, chains.map((waiting) => settle(waiting.chainName))) // prettier-ignore
        return ended.length > 0
      }),
    /** What is paused, the oldest first. */
    list: (): Promise<PayoutPause[]> => inTransaction(db, (em) => executeIn<PayoutPause>(em, LIST, [])),
  }
}
