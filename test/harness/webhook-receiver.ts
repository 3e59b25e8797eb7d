import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { serve } from './serve.js'
import { until } from './until.js'

/** What is told of a payment that is paid at once. */
export const PAID_TYPES = ['payment.registered', 'payment.pending', 'payment.success']

/** A message that a tenant's server got and whose signature is good. */
export interface ReceivedWebhook {
  /** The path that it came to. */
  path: string
  id: string
  type: string
  sequence: number
  timestamp: string
  data: Record<string, unknown>
}

/** The server of tenants on loopback: verifies each message as Standard Webhooks says, with the library of its authors. */
export interface WebhookReceiver {
  url: string
  received: ReceivedWebhook[]
  /** What was refused: a bad signature, an unknown path. Always empty unless a test forges something. */
  refused: string[]
  /** The address of a tenant's server; its messages are verified with this secret. */
  addressOf: (tenantId: string, secret: string) => string
  /** The secret that signs what a tenant is sent. */
  secretOf: (tenantId: string) => string
  /** What came of one resource, in the order of arrival. */
  of: (resourceId: string) => ReceivedWebhook[]
  /** As `of`, once so many have come. */
  told: (resourceId: string, count?: number) => Promise<ReceivedWebhook[]>
}

/** Starts the receiver on a free port. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const secrets = new Map<string, string>()
  const received: ReceivedWebhook[] = []
  const refused: string[] = []
  const { url } = await serve((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      try {
        const verifier = new Webhook(secrets.get(path) ?? '')
        const message = verifier.verify(body, request.headers as Record<string, string>) as ReceivedWebhook
        received.push({ ...message, path, id: String(request.headers['webhook-id']) })
        response.writeHead(204).end()
      } catch (error) {
        refused.push(`${path}: ${String(error)}`)
        response.writeHead(400).end()
      }
    })
  })
  const of = (resourceId: string) => received.filter(({ data }) => data['id'] === resourceId)
  return {
    url,
    received,
    refused,
    addressOf: (tenantId, secret) => {
      secrets.set(`/${tenantId}`, secret)
      return `${url}/${tenantId}`
    },
    secretOf: (tenantId) => secrets.get(`/${tenantId}`) ?? '',
    of,
    told: (resourceId, count = 1) =>
      until(`${count} webhooks about ${resourceId}`, () => {
        const told = of(resourceId)
        return told.length >= count && told
      }),
  }
}
