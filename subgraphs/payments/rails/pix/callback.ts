import { createHash, createHmac } from 'node:crypto'
import { equalTexts } from '../../../../kernel/equal-texts.js'
import type { Callback, CallbackItem } from '../../model/provider-callback.js'
import { REFUND_STATUS_OF, returnsOf } from './wire.js'

/**
 * The unguessable part of our callback address. The API Pix signs nothing: who knows this is taken for the provider, and is
 * still only believed to have news.
 * @param key 32 bytes of the deployment's own
 */
export function callbackToken(key: Buffer): string {
  return createHmac('sha256', key).update('pix').digest('base64url')
}

/**
 * Reads a callback of the API Pix: `POST <address>/pix {pix: [Pix, …]}`. An item's key names the movement and how far
 * each of its refunds is, so that a repeated callback is one event, and news about the same movement another.
 * @returns undefined where the token is wrong; one item about nothing where the body is not a callback's
 */
export function readPixCallback({ path, body }: Callback, token: string): CallbackItem[] | undefined {
  const [given = '', ...rest] = path.split('/')
  if (!equalTexts(given, token) || !['', 'pix'].includes(rest.join('/'))) return undefined
  const items = listIn(body)
  if (items) return items.map(readItem)
  return [{ eventKey: hashKey(body), content: body, reference: undefined, receiptId: undefined }]
}

function listIn(body: string): object[] | undefined {
  try {
    const { pix } = JSON.parse(body) as { pix?: unknown }
    return Array.isArray(pix) ? pix.filter((item) => typeof item === 'object' && item !== null) : undefined
  } catch {
    return undefined
  }
}

function readItem(item: object): CallbackItem {
  const content = JSON.stringify(item)
  const { endToEndId, txid, devolucoes } = item as Record<string, unknown>
  const reference = typeof txid === 'string' && /^[a-zA-Z0-9]{1,35}$/.test(txid) ? txid : undefined
  if (typeof endToEndId !== 'string' || !/^[a-zA-Z0-9]{32}$/.test(endToEndId)) {
    return { eventKey: hashKey(content), content, reference, receiptId: undefined }
  }
  const returns = returnsOf(devolucoes).map((given) => (given ?? {}) as Record<string, unknown>)
  const eventKey = [endToEndId, ...returns.map(({ id, status }) => `${String(id)}=${String(status)}`)].join(':')
  const refunds = returns.flatMap(({ id, status: given }) => {
    const status = typeof given === 'string' && Object.hasOwn(REFUND_STATUS_OF, given) && REFUND_STATUS_OF[given]
    return typeof id === 'string' && /^[a-zA-Z0-9]{1,35}$/.test(id) && status ? [{ id, status }] : []
  })
  // What is too long, or may hold text that no column takes, has a key of its own all the same.
  const isPlain = /^[\x20-\x7e]{1,300}$/.test(eventKey)
  const kept = { eventKey: isPlain ? eventKey : hashKey(eventKey), content, reference, receiptId: endToEndId }
  return refunds.length === 0 ? kept : { ...kept, expected: { refunds } }
}

function hashKey(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
