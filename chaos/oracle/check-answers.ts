import type { Finding, JournalEntry } from '../view.js'
import { finding, type Check } from './evidence.js'

/** A link carries the time of its signature. */
const LINK = 'session_payment'

/** A key was answered the same, whenever, wherever and however often it was sent. */
export const checkAnswers: Check = ({ journal }) => {
  const answered = Map.groupBy(
    journal.filter(({ idempotencyKey, status }) => idempotencyKey !== undefined && status >= 200 && status < 300),
    ({ tenantId, idempotencyKey }) => `${tenantId} ${idempotencyKey ?? ''}`,
  )
  const found: Finding[] = []
  for (const [key, entries] of answered) {
    const [first] = entries
    if (!first) continue
    const expected = comparable(first)
    const other = entries.find((entry) => comparable(entry) !== expected)
    if (!other) continue
    found.push(finding('once', `${first.operation} ${first.id ?? ''} with key ${key}`, expected, comparable(other)))
  }
  return Promise.resolve(found)
}

function comparable({ id, status, answer }: JournalEntry): string {
  const { data } = (answer ?? {}) as { data?: unknown }
  // The charge that an answer shows is the provider's, as it stands.
  const isFleeting = (name: string, value: unknown): boolean =>
    name === LINK || (name === 'status' && typeof value === 'string')
  return JSON.stringify([status, id, data], (name, value: unknown) => (isFleeting(name, value) ? undefined : value))
}
