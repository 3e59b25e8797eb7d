import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An event as a tenant receives it. */
export interface ReceivedEvent {
  type: string
  sequence: number
  data: Record<string, unknown>
}

/** A tenant's side of the webhooks. */
export interface WebhookReceiver {
  url: string
  /** Waits for the events of a payment up to one of `type`, in the order in which they came. */
  untilEvent: (paymentId: string, type: string) => Promise<ReceivedEvent[]>
  close: () => void
}

const WAIT_MS = 30_000

/**
 * Receives webhooks on this machine and takes only what is signed with the tenant's secret (Standard Webhooks, v1).
 * @param secret `whsec_…`
 */
export async function receiveWebhooks(secret: string): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        if (!isSigned(request, body, secret)) return response.writeHead(401).end()
        received.push(JSON.parse(body) as ReceivedEvent)
        for (const wake of waiting) wake()
        return response.writeHead(204).end()
      })
      .catch(() => response.writeHead(400).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const eventsOf = (paymentId: string): ReceivedEvent[] => received.filter(({ data }) => data['id'] === paymentId)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    untilEvent: (paymentId, type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const events = eventsOf(paymentId)
          if (!events.some((event) => event.type === type)) return
          clearTimeout(tooLate)
          waiting.delete(look)
          resolve(events)
        }
        const tooLate = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`no webhook ${type} came for ${paymentId} within ${WAIT_MS / 1000} s`))
        }, WAIT_MS)
        waiting.add(look)
        look()
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const expected = createHmac('sha256', key).update(content).digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}
