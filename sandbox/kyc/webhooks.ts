import { createHmac } from 'node:crypto'
import type { Clock } from '../../kernel/clock.js'
import { retriedCalls, type RetriedCalls } from '../retried-calls.js'
import { decisionOf } from './decision.js'
import type { SimulatedSession } from './session.js'

/** After what time a webhook that failed is sent again: twice, after 1 and 4 minutes (docs.didit.me). */
const RETRY_DELAYS_MS = [60_000, 240_000]
/** Statuses whose webhook carries the decision. */
const WITH_DECISION = new Set(['Approved', 'Declined', 'In Review', 'Abandoned'])

interface Webhook {
  body: string
  status: string
  sessionId: string
}

/** Sends webhooks as Didit does. */
export interface WebhookSender extends Omit<RetriedCalls<never>, 'send'> {
  /** Tells of a session's status. Resolves once the first attempt was made. */
  send: (session: SimulatedSession, url: string) => Promise<void>
}

/** A sender that signs with `secret` in all three ways. */
export function createWebhookSender({ secret, clock }: { secret: string; clock: Clock }): WebhookSender {
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1000)
  const calls = retriedCalls<Webhook>({
    clock,
    delaysMs: RETRY_DELAYS_MS,
    headersOf: (webhook) => ({
      'user-agent': 'DiditWebhook/2.0',
      ...signatures(webhook, String(nowSeconds()), secret),
    }),
    isTaken: (status) => status !== undefined && status < 500 && status !== 404,
  })
  const timer = setInterval(() => void calls.retryDue(), 1000).unref()
  return {
    ...calls,
    send: (session, url) => {
      const body = JSON.stringify(webhookBody(session, url, nowSeconds()))
      return calls.send({ body, status: session.status, sessionId: session.id })
    },
    close: () => {
      clearInterval(timer)
      calls.close()
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

function signatures({ body, status, sessionId }: Webhook, timestamp: string, secret: string): Record<string, string> {
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
