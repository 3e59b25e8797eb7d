import type { Clock } from '../../../kernel/clock.js'
import { run, type Database } from '../../../kernel/database.js'
import { decrypt, encrypt, type KeyRing } from '../../../kernel/encryption.js'
import { addGivenJobs, givenJobs, type JobRequest } from '../../../kernel/jobs.js'
import type { CallbackItem, ExpectedAnswer } from '../model/provider-callback.js'

/** Something a provider told us, as far as it says what to ask the provider about. */
export interface ProviderEvent {
  provider: string
  eventKey: string
  reference: string | null
  receiptId: string | null
  /** What an answer has to show to be no older than the event; null where that is not known. */
  expected: ExpectedAnswer | null
  receivedAt: Date
  /** Whether what it was about has been looked at. */
  isProcessed: boolean
}

/** With the job that looks into it: $8. */
const ADD = {
  name: 'provider_event_add',
  text: `with added as (
      insert into payments.provider_event (provider, event_key, reference, receipt_id, sealed_content, received_at, expected)
      values ($1, $2, $3, $4, $5, $6::timestamptz, $7::jsonb) on conflict (provider, event_key) do nothing returning 1
    )
    ${addGivenJobs('$8')} where exists (select from added)`,
}

const FIND = {
  name: 'provider_event_find',
  text: `select provider, event_key as "eventKey", reference, receipt_id as "receiptId", expected,
      received_at as "receivedAt", processed_at is not null as "isProcessed"
    from payments.provider_event where provider = $1 and event_key = $2`,
}

const CONTENT = {
  name: 'provider_event_content',
  text: 'select sealed_content as sealed from payments.provider_event where provider = $1 and event_key = $2',
}

const MARK = {
  name: 'provider_event_mark',
  text: 'update payments.provider_event set processed_at = $3::timestamptz where provider = $1 and event_key = $2',
}

/** @param ring seals the contents: a provider may name the payer and the tax id */
export function providerEventsStore(db: Database, clock: Clock, ring: KeyRing) {
  const contextOf = (provider: string, eventKey: string): string => `provider-event:${provider}:${eventKey}`
  return {
    /**
     * Keeps an item and adds the job that looks into it, once per key.
     * @returns false where it is known already
     */
    add: async (
      provider: string,
      { eventKey, content, reference, receiptId, expected }: CallbackItem,
      job: JobRequest,
    ): Promise<boolean> => {
      const sealed = encrypt(ring, content, contextOf(provider, eventKey))
      const values = [provider, eventKey, reference ?? null, receiptId ?? null, sealed, clock.now().toISOString()]
      const told = expected ? JSON.stringify(expected) : null
      return (await run(db.pool, ADD, [...values, told, givenJobs(clock, [job])])).length > 0
    },
    find: async (provider: string, eventKey: string): Promise<ProviderEvent | undefined> => {
      const [event] = await run<ProviderEvent & Record<string, unknown>>(db.pool, FIND, [provider, eventKey])
      return event && { ...event, receivedAt: new Date(event.receivedAt) }
    },
    /** What was sent, for an investigation. */
    content: async (provider: string, eventKey: string): Promise<string | undefined> => {
      const [row] = await run<{ sealed: string }>(db.pool, CONTENT, [provider, eventKey])
      return row && decrypt(ring, row.sealed, contextOf(provider, eventKey))
    },
    markProcessed: async ({ provider, eventKey }: ProviderEvent): Promise<void> => {
      await run(db.pool, MARK, [provider, eventKey, clock.now().toISOString()])
    },
  }
}
