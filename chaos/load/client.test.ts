import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import type { JournalEntry, HarnessView } from '../view.js'
import { createClient, GaveUpError, type Call, type Client } from './client.js'

interface Seen {
  gateway: number
  key: string | undefined
  body: string
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Two gateways that answer, one request after the other, as they are told. */
async function gateways(answers: ((response: ServerResponse) => void)[]): Promise<{ urls: string[]; seen: Seen[] }> {
  const seen: Seen[] = []
  const take = async (gateway: number, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ gateway, key: request.headers['idempotency-key'] as string | undefined, body: await text(request) })
    const answer = answers.shift()
    if (answer) answer(response)
    else response.socket?.destroy()
  }
  const urls: string[] = []
  for (const gateway of [0, 1]) {
    const server = createServer((request, response) => void take(gateway, request, response))
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }
  return { urls, seen }
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const cut = (response: ServerResponse): void => {
  response.socket?.destroy()
}

const tenant = { id: 't', apiKey: 'k', publicClientId: 'p', webhookUrl: 'http://w', webhookSecret: 's' }
const register: Call = {
  method: 'POST',
  path: '/register',
  rail: 'evm',
  operation: 'register-payment',
  idField: 'payment_id',
  body: { amount_from: '1', card_data: { card: { number: '4000000000000010' } } },
}

function clientOf(urls: string[], deadlineMs = 10_000): { client: Client; journal: JournalEntry[] } {
  const journal: JournalEntry[] = []
  const deadline = performance.now() + deadlineMs
  const view = { gateways: urls } as unknown as HarnessView
  const options = { view, journal, deadline: () => deadline, background: () => undefined }
  // Who draws high numbers only has no habits.
  return { client: createClient(options, tenant, () => 0.99), journal }
}

describe('a client of the load', () => {
  it('asks the next gateway with the same key and body until it is answered', async () => {
    const { urls, seen } = await gateways([
      cut,
      json(503, {}),
      json(429, { code: 429 }, { 'retry-after': '0' }),
      json(409, { status: 'idempotency_in_progress' }, { 'retry-after': '0' }),
      json(201, { status: 'payment_registered', data: { payment_id: 'c1' } }),
    ])
    const { client, journal } = clientOf(urls)
    expect(await client.call(register)).toMatchObject({ status: 201, data: { payment_id: 'c1' } })
    expect(seen).toHaveLength(5)
    expect(new Set(seen.map(({ key, body }) => `${key ?? ''} ${body}`)).size).toBe(1)
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(seen.map(({ gateway }) => gateway)).size).toBe(2)
    expect(journal).toMatchObject([
      { operation: 'register-payment', id: 'c1', status: 201, idempotencyKey: seen[0]?.key },
    ])
    expect(JSON.stringify(journal)).not.toContain('4000000000000010')
  })

  it('takes a refusal as an answer', async () => {
    const { urls, seen } = await gateways([json(429, { status: 'order_limit_reached' })])
    expect(await clientOf(urls).client.call(register)).toMatchObject({ status: 429, code: 'order_limit_reached' })
    expect(seen).toHaveLength(1)
  })

  it('writes down that it was never answered', async () => {
    const { urls } = await gateways([])
    const { client, journal } = clientOf(urls, 400)
    await expect(client.call(register)).rejects.toThrow(GaveUpError)
    expect(journal).toMatchObject([{ operation: 'register-payment', id: undefined, status: 0 }])
  })
})
