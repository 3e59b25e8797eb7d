import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, run, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import type { KycView } from '../domain/kyc-view.js'
import type { Vault } from '../vault.js'
import type { Person } from './person.entity.js'

/** The job that tells the tenant of an event; added with the event, worked off by the deliveries. */
const PUBLISH_EVENT = 'publish-event'

const APPEND = `insert into kyc.person_event (tenant_id, person_id, sequence, cause, snapshot_sealed, created_at)
  values (?, ?, ?, ?, ?, ?::timestamptz)`

const FIND = {
  name: 'kyc_event_find',
  text: `select snapshot_sealed as "snapshotSealed" from kyc.person_event
    where tenant_id = $1 and person_id = $2 and sequence = $3`,
}

export type PersonEventsStore = ReturnType<typeof personEventsStore>

/** The history of people: what a tenant could see after each change. Never changed; removed with the person only. */
export function personEventsStore({ pool }: Database, vault: Vault, clock: Clock) {
  return {
    /** Appends the event that has led to `view`, and the job that tells the tenant. */
    async append(em: EntityManager, person: Person, cause: string, view: KycView): Promise<void> {
      const { tenantId, id, sequence } = person
      const sealed = vault.seal(JSON.stringify(view), eventContext(tenantId, id, sequence))
      await executeIn(em, APPEND, [tenantId, id, sequence, cause, sealed, clock.now().toISOString()])
      const payload = { tenantId, source: 'kyc', resourceId: id, sequence }
      await addJob(em, clock, { name: PUBLISH_EVENT, payload })
    },

    /** What the tenant could see after event `sequence`. */
    async findAt(tenantId: string, personId: string, sequence: number): Promise<KycView | undefined> {
      const [row] = await run<{ snapshotSealed: string }>(pool, FIND, [tenantId, personId, sequence])
      if (!row) return undefined
      const stored = JSON.parse(
        vault.open(row.snapshotSealed, eventContext(tenantId, personId, sequence)),
      ) as StoredView
      return { ...stored, updatedAt: new Date(stored.updatedAt) }
    },
  }
}

type StoredView = Omit<KycView, 'updatedAt'> & { updatedAt: string }

/** What an event's snapshot is sealed for. */
export function eventContext(tenantId: string, personId: string, sequence: number): string {
  return `kyc-event:${tenantId}:${personId}:${sequence}`
}
