import { timeLimit } from './time-limit.js'
import type { PageView } from './view.js'

/** What came of an action: a newer view, what it was for, or why not. */
export type Outcome<Given = unknown> =
  { ok: true; view: PageView; given: Given } | { ok: false; code: string; fields: readonly string[]; view?: PageView }

/** Asks the server to do something with the page's own payment. Never rejects. */
export type Act = <Given = unknown>(name: string, body: object) => Promise<Outcome<Given>>

/** How long an action may take: a transaction's confirmation is waited for in it. */
const TIMEOUT_MS = 50_000

interface Answer<Given> {
  view?: PageView
  given?: Given
  error?: { code?: string; fields?: string[] }
}

/**
 * The actions of the page at `base`. Each call has a key of its own, under which it is repeated once where the answer was
 * lost: so it is done once.
 */
export function actionsAt(base: string): Act {
  return async <Given>(name: string, body: object): Promise<Outcome<Given>> => {
    const key = attemptKey()
    const send = (): Promise<Response> =>
      fetch(`${base}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: timeLimit(TIMEOUT_MS),
      })
    try {
      const answer = await send().catch(send)
      const { view, given, error } = (await answer.json()) as Answer<Given>
      if (answer.ok && view) return { ok: true, view, given: given as Given }
      const code = error?.code ?? 'other'
      // The link has expired: what the server shows then says so.
      if (code === 'not_found') location.reload()
      return { ok: false, code, fields: error?.fields ?? [], ...(view && { view }) }
    } catch {
      return { ok: false, code: 'offline', fields: [] }
    }
  }
}

/** `crypto.randomUUID` is not there on plain http. */
function attemptKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
