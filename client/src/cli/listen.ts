import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, ConnectionError } from '../api-error.js'
import type { PaymentsClient } from '../client.js'
import type { ListedDelivery } from '../pages.js'
import { signWebhook } from '../webhooks.js'
import { numberOption, textOption, type Arguments, type Command } from './command.js'
import { openClient } from './credentials.js'
import { UsageError, type CliIo } from './io.js'

const PAGE = 100
const FORWARD_TIMEOUT_MS = 15_000

/** Forwards what the service tells to a server that only this machine can reach. */
export const listen: Command = {
  usage: 'listen',
  summary: 'Forwards webhooks to --forward-to URL as they happen, signed. The service need not reach this machine.',
  options: { 'forward-to': { type: 'string' }, secret: { type: 'string' }, 'poll-ms': { type: 'string' } },
  run: async (args, io, print) => {
    const [url, secret] = [forwardUrl(args), textOption(args, 'secret') ?? newSecret()]
    const pollMs = numberOption(args, 'poll-ms', 10, 60_000) ?? 1_000
    const client = await openClient(io.env)
    const log = openLog(client)
    await log.skipKnown()
    print({ forward_to: url, secret }, [`Webhooks are forwarded to ${url}.`, `They are signed with ${secret}`])
    while (!io.signal.aborted) {
      for (const delivery of await readNew(log, io)) {
        const outcome = await forward(url, secret, delivery)
        print({ id: delivery.id, type: delivery.type, outcome }, [
          `${delivery.type.padEnd(22)} ${delivery.resource_id}  ${outcome}`,
        ])
      }
      await delay(pollMs, undefined, { signal: io.signal }).catch(() => undefined)
    }
  },
}

function forwardUrl(args: Arguments): string {
  const url = textOption(args, 'forward-to')
  if (url !== undefined && /^https?:\/\//.test(url) && URL.canParse(url)) return url
  throw new UsageError('--forward-to needs an address: http://localhost:3000/webhooks.')
}

function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
}

interface DeliveryLog {
  /** Takes what is there already as seen. */
  skipKnown: () => Promise<void>
  /** Deliveries that were not seen yet, oldest first. */
  readNew: () => Promise<ListedDelivery[]>
}

/**
 * The log of deliveries, read from its newest end. A whole page is read each time, as one that began earlier may come into
 * the log after a later one.
 */
function openLog(client: Pick<PaymentsClient, 'listWebhookDeliveries'>): DeliveryLog {
  let seen = new Set<string>()
  const readPage = async (after?: string) =>
    (await client.listWebhookDeliveries({ limit: PAGE, ...(after !== undefined && { after }) })).data
  return {
    skipKnown: async () => {
      seen = new Set((await readPage()).deliveries.map(({ id }) => id))
    },
    readNew: async () => {
      const found: ListedDelivery[] = []
      const isFirst = seen.size === 0
      for (let after: string | undefined; ;) {
        const { deliveries, next } = await readPage(after)
        const fresh = deliveries.filter(({ id }) => !seen.has(id))
        found.push(...fresh)
        if (fresh.length < deliveries.length || next === null || isFirst) break
        after = next
      }
      // What is older than the newest page is not read again, so it need not be remembered.
      seen = new Set([...found.map(({ id }) => id), ...seen].slice(0, Math.max(10 * PAGE, found.length)))
      return found.toReversed()
    },
  }
}

/** A service that does not answer for a while is asked again with the next look. */
async function readNew(log: DeliveryLog, io: CliIo): Promise<ListedDelivery[]> {
  try {
    return await log.readNew()
  } catch (error) {
    const isPassing = error instanceof ConnectionError || (error instanceof ApiError && error.httpStatus >= 429)
    if (!isPassing) throw error
    io.err(`${error.message}; it is tried again.`)
    return []
  }
}

async function forward(url: string, secret: string, { id, body }: ListedDelivery): Promise<string> {
  if (body === null) return 'not forwarded: the key may not read what the event is about'
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', ...(await signWebhook(id, new Date(), text, secret)) }
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body: text, redirect: 'manual', signal })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    const { message, cause } = error as Error
    return `not forwarded: ${cause instanceof Error ? cause.message : message}`
  }
}
