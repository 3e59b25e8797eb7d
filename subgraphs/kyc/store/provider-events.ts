import type { Clock } from '../../../kernel/clock.js'
import { executeIn, inTransaction, run, type Database } from '../../../kernel/database.js'
import { addJob } from '../../../kernel/jobs.js'
import { emptyOldRows, removeOldRows } from '../../../kernel/remove-old-rows.js'
import type { Vault } from '../vault.js'

/** The job that works a stored callback off. */
export const PROCESS_CALLBACK = 'process-kyc-callback'

/** Which callback, and the session it is about; the payload of its job. */
export interface StoredCallback {
  verifier: string
  eventKey: string
  sessionId: string
}

/** SQL for the key of that job, from SQL for what names the callback. */
export function callbackJobKey(verifier: string, eventKey: string): string {
  return `'${PROCESS_CALLBACK}:' || ${verifier} || ':' || ${eventKey}`
}

const STORE = `insert into kyc.provider_event (verifier, event_key, session_id, body_sealed, received_at)
  values (?, ?, ?, ?, ?::timestamptz) on conflict (verifier, event_key) do nothing
  returning ${callbackJobKey('verifier', 'event_key')} as key`

const CLOSE = {
  name: 'kyc_provider_event_close',
  text: `update kyc.provider_event set processed_at = $3::timestamptz, body_sealed = null
    where verifier = $1 and event_key = $2`,
}

export type ProviderEventsStore = ReturnType<typeof providerEventsStore>

/** Callbacks as they came: sealed, as they hold documents and faces' data, and without their body once they are done. */
export function providerEventsStore(db: Database, vault: Vault, clock: Clock) {
  return {
    /** Stores a callback together with the job that works it off; one that came before is not stored again. */
    store(callback: StoredCallback, rawBody: Buffer): Promise<void> {
      const { verifier, eventKey, sessionId } = callback
      return inTransaction(db, async (em) => {
        const sealed = vault.seal(rawBody.toString('utf8'), callbackContext(verifier, eventKey))
        const values = [verifier, eventKey, sessionId, sealed, clock.now().toISOString()]
        const [stored] = await executeIn<{ key: string }>(em, STORE, values)
        if (stored) await addJob(em, clock, { name: PROCESS_CALLBACK, payload: callback, key: stored.key })
      })
    },

    async finish({ verifier, eventKey }: Pick<StoredCallback, 'verifier' | 'eventKey'>): Promise<void> {
      await run(db.pool, CLOSE, [verifier, eventKey, clock.now().toISOString()])
    },

    /**
     * Removes the keys of callbacks that are a month old: the signature's age refuses their repeats by then. One that was not
     * worked off yet stays without its body, which nobody needs for that: the provider is asked.
     */
    async removeOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - 30 * 86_400_000).toISOString()
      const hasBody = 'received_at < $1::timestamptz and body_sealed is not null'
      await emptyOldRows(db.pool, { table: 'kyc.provider_event', column: 'body_sealed', where: hasBody }, [before])
      const where = 'received_at < $1::timestamptz and processed_at is not null'
      await removeOldRows(db.pool, { table: 'kyc.provider_event', where }, [before])
    },
  }
}

/** What a callback's body is sealed for. */
export function callbackContext(verifier: string, eventKey: string): string {
  return `kyc-callback:${verifier}:${eventKey}`
}
