import type { Clock } from '../../../../kernel/clock.js'
import { run, type Database } from '../../../../kernel/database.js'

/** The job of the kyc subgraph that appends accesses to its log. */
const NOTE_KYC_ACCESS = 'note-kyc-access'

const ADD = {
  name: 'webhook_note_accesses',
  text: `select kernel.add_job('${NOTE_KYC_ACCESS}', json_build_object('at', $1::text, 'accesses', $2::json))`,
}

/** A reading of what a delivery tells of a person. */
export interface NotedAccess {
  tenantId: string
  personId: string
  /** The id of the key, or of the session, that read. */
  actor: string
  requestId: string
}

export type NotedAccesses = ReturnType<typeof notedAccesses>

/** What was read of people by way of their deliveries, on its way to the log of who has read what of them. */
export function notedAccesses({ pool }: Database, clock: Clock) {
  return {
    /** Has accesses written down, of this moment. Once it is done no crash loses them. */
    async note(accesses: readonly NotedAccess[]): Promise<void> {
      await run(pool, ADD, [clock.now().toISOString(), JSON.stringify(accesses)])
    },
  }
}
