import type { FieldName, Typed } from './card-fields.js'
import { expiryOf } from './card-checks.js'
import { taxIdText } from './checks.js'
import { timeLimit } from './time-limit.js'

const TIMEOUT_MS = 15_000

/** What came of handing a card to the processor. */
export type TokenOutcome = { ok: true; id: string } | { ok: false; code: string; fields: readonly FieldName[] }

/** The processor's names of the fields that it may find wrong. */
const FIELD_NAMES: readonly (readonly [string, FieldName])[] = [
  ['number', 'number'],
  ['cvv', 'cvv'],
  ['exp_', 'expiry'],
  ['holder_name', 'holder'],
  ['holder_document', 'document'],
]

/**
 * Hands a card to the processor's own token endpoint: number and code never reach the shop's server.
 * @param now in milliseconds
 */
export async function tokenize(url: string, typed: Typed, now: number): Promise<TokenOutcome> {
  const { number = '', holder = '', expiry: until = '', document = '', cvv } = typed
  const expiry = expiryOf(until, now)
  const card = {
    number: number.replace(/\D/g, ''),
    holder_name: holder.trim(),
    holder_document: taxIdText(document),
    exp_month: expiry?.month,
    exp_year: expiry?.year,
    cvv,
  }
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'card', card }),
      credentials: 'omit',
      signal: timeLimit(TIMEOUT_MS),
    })
    const body = (await answer.json()) as { id?: unknown; errors?: object }
    if (answer.ok && typeof body.id === 'string') return { ok: true, id: body.id }
    if (answer.status >= 500) return { ok: false, code: 'provider_unavailable', fields: [] }
    const named = Object.keys(body.errors ?? {})
    const wrong = FIELD_NAMES.filter(([theirs]) => named.some((path) => path.includes(theirs))).map(([, ours]) => ours)
    return { ok: false, code: 'card_refused', fields: wrong }
  } catch {
    return { ok: false, code: 'provider_unavailable', fields: [] }
  }
}
