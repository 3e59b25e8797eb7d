import { createHash } from 'node:crypto'
import { equalTexts } from '../../../../kernel/equal-texts.js'
import type { Callback, CallbackItem } from '../../model/provider-callback.js'
import { withoutCardNumbers } from './card-number.js'
import type { CardSettings } from './settings.js'

/** The events that tell of money that went back; their `data` is the charge. */
const WENT_BACK: ReadonlySet<string | undefined> = new Set([
  'charge.chargedback',
  'charge.refunded',
  'charge.partial_canceled',
])

/**
 * Reads a callback of the processor: `{id, type, created_at, data}`, sent with the Basic user of its dashboard. Of its
 * body only names and ids are kept: the processor is asked for everything else. An answer is told from an older one by the charge's
 * `updated_at`: `created_at` is the event's, later than the change.
 * @returns undefined where user or password are wrong
 */
export function readCardCallback(
  { authorization, body }: Callback,
  { callbackUser, callbackPassword }: Pick<CardSettings, 'callbackUser' | 'callbackPassword'>,
): CallbackItem[] | undefined {
  const expected = `Basic ${Buffer.from(`${callbackUser}:${callbackPassword}`).toString('base64')}`
  if (!equalTexts(authorization ?? '', expected)) return undefined
  const event = parse(body)
  const data = optional(event['data'])
  const order = optional(data['order'])
  const type = wordOf(event['type'])
  const isOrder = type?.startsWith('order.') === true
  const reference = wordOf(isOrder ? data['code'] : order['code']) ?? wordOf(data['code'])
  const kept = {
    id: wordOf(event['id']) ?? null,
    type: type ?? null,
    created_at: wordOf(event['created_at']) ?? null,
    data: { id: wordOf(data['id']) ?? null, code: reference ?? null, status: wordOf(data['status']) ?? null },
  }
  const eventKey = kept.id ?? `sha256:${createHash('sha256').update(JSON.stringify(kept)).digest('hex')}`
  const changedAt = WENT_BACK.has(type) ? timeOf(data['updated_at']) : undefined
  const told = { eventKey, content: JSON.stringify(kept), reference, receiptId: undefined }
  return [changedAt === undefined ? told : { ...told, expected: { changedAt } }]
}

function parse(body: string): Record<string, unknown> {
  try {
    return optional(JSON.parse(body))
  } catch {
    return {}
  }
}

function optional(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function timeOf(value: unknown): string | undefined {
  const at = new Date(wordOf(value) ?? NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** An id, a type or a time; anything that could be a card's number is none. */
function wordOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[\w.:+-]{1,100}$/.test(value)) return undefined
  return withoutCardNumbers(value) === value ? value : undefined
}
