import { createHmac } from 'node:crypto'
import type { Clock } from '../../kernel/clock.js'
import { decisionOf } from './decision.js'
import type { SimulatedSession } from './session.js'

/** After what time a webhook that failed is sent again: twice, after 1 and 4 minutes (docs.didit.me). */
const RETRY_DELAYS_MS = [60_000, 240_000]
const TIMEOUT_MS = 10_000
/** Statuses whose webhook carries the decision. */
const WITH_DECISION = new Set(['Approved', 'Declined', 'In Review', 'Abandoned'])

interface Pending {
  body: string
  status: string
  sessionId: string
  attempt: number
  /** By the sandbox's clock, in milliseconds. */
  dueAt: number
}

/** Sends webhooks as Didit does. */
export interface WebhookSender {
  /** Where to, as it is set in the provider's console; nowhere at first. */
  setUrl(url: string): void
  /** Tells of a session's status. Resolves once the first attempt was made. */
  send(session: SimulatedSession, url: string): Promise<void>
  /** Sends again what is due by now. */
  retryDue(): Promise<void>
  close(): void
}

/** A sender that signs with `secret` in all three ways. */
export function createWebhookSender({ secret, clock }: { secret: string; clock: Clock }): WebhookSender {
  let target: string | undefined
  let pending: Pending[] = []
  const stopped = new AbortController()
  const timer = setInterval(() => void retryDue(), 1000).unref()
  const now = (): number => clock.now().getTime()

  async function attempt(webhook: Pending): Promise<void> {
    if (target === undefined || stopped.signal.aborted) return
    const timestamp = String(Math.floor(now() / 1000))
    const answer = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'DiditWebhook/2.0',
        ...signatures(webhook, timestamp, secret),
      },
      body: webhook.body,
      redirect: 'manual',
      signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch(() => undefined)
    const isRepeated = answer === undefined || answer.status >= 500 || answer.status === 404
    await answer?.body?.cancel()
    const delayMs = RETRY_DELAYS_MS[webhook.attempt]
    if (isRepeated && delayMs !== undefined) {
      pending.push({ ...webhook, attempt: webhook.attempt + 1, dueAt: now() + delayMs })
    }
  }

  async function retryDue(): Promise<void> {
    const due = pending.filter(({ dueAt }) => dueAt <= now())
    pending = pending.filter((webhook) => !due.includes(webhook))
    for (const webhook of due) await attempt(webhook)
  }

  return {
    setUrl: (url) => {
      target = url
    },
    send: (session, url) => {
      const body = JSON.stringify(webhookBody(session, url, Math.floor(now() / 1000)))
      return attempt({ body, status: session.status, sessionId: session.id, attempt: 0, dueAt: now() })
    },
    retryDue,
    close: () => {
      clearInterval(timer)
      stopped.abort()
    },
  }
}

function webhookBody(session: SimulatedSession, url: string, timestamp: number): Record<string, unknown> {
  return {
    session_id: session.id,
    status: session.status,
    webhook_type: 'status.updated',
    vendor_data: session.vendorData,
    workflow_id: session.workflowId,
    metadata: session.metadata,
    created_at: Math.floor(session.createdAt / 1000),
    timestamp,
    environment: 'sandbox',
    ...(WITH_DECISION.has(session.status) && { decision: decisionOf(session, url) }),
  }
}

function signatures({ body, status, sessionId }: Pending, timestamp: string, secret: string): Record<string, string> {
  const mac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')
  return {
    'x-timestamp': timestamp,
    'x-signature': mac(body),
    'x-signature-v2': mac(JSON.stringify(sorted(JSON.parse(body)))),
    'x-signature-simple': mac(`${timestamp}:${sessionId}:${status}:status.updated`),
  }
}

/** The same value with the keys of all objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
