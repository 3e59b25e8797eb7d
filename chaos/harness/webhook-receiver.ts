import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ReceivedWebhook } from '../view.js'

/** The servers of all tenants. */
export interface WebhookReceiver {
  addressOf: (tenantId: string) => string
  received: readonly ReceivedWebhook[]
  close: () => Promise<void>
}

/** Starts the receiver on a free port of loopback; it takes everything and judges nothing. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    take(received, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    addressOf: (tenantId) => `http://127.0.0.1:${port}/${tenantId}`,
    received,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function take(received: ReceivedWebhook[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const tenantId = (request.url ?? '').slice(1)
  const body = await text(request)
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  received.push({ tenantId, at: new Date(), headers, body })
  response.writeHead(204).end()
}
