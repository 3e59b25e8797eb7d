import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, wireText, type Connection } from '../http-client.js'
import { registration } from '../registration.js'
import { quantile, type ProductHarness } from './product-harness.js'

/** How long tenants wait for an event: from before its commit to the first delivery attempt that reached the receiver. */
export interface AttemptFigures {
  eventsPerSecond: number
  p50Ms: number
  p99Ms: number
}

const CONNECTIONS = 16
const ARRIVAL_TIMEOUT_MS = 30_000

const REGISTERED = `select payment_id as id, extract(epoch from created_at) * 1000 as ms from payments.payment_event
  where payment_id = any($1) and sequence = 1`

/**
 * Registers payments at a steady rate over REST and measures when their events reach the receiver. An event's time is taken
 * just before its commit, so the figures are above the truth by what the commit took, never below it.
 * @throws Error where an event does not arrive, or arrives twice
 */
export async function measureFirstAttempts(
  { sandbox, pool, product }: ProductHarness,
  load: { eventsPerSecond: number; warmUpMs: number; durationMs: number },
): Promise<AttemptFigures> {
  const receiver = await startReceiver()
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(product.port)))
  try {
    const request = registering(sandbox, receiver.url)
    const ids = await registerSteadily(connections, request, load.eventsPerSecond, load.warmUpMs + load.durationMs)
    const deadlineMs = performance.now() + ARRIVAL_TIMEOUT_MS
    while (ids.some((id) => !receiver.arrivals.has(id))) {
      if (performance.now() > deadlineMs) throw new Error(`${receiver.arrivals.size} of ${ids.length} events arrived`)
      await delay(50)
    }
    if (receiver.repeated() > 0) throw new Error(`${receiver.repeated()} events arrived twice`)
    const { rows } = await pool.query<{ id: string; ms: string }>(REGISTERED, [ids])
    const startMs = Math.min(...rows.map(({ ms }) => Number(ms))) + load.warmUpMs
    const measured = rows.filter(({ ms }) => Number(ms) >= startMs)
    const latenciesMs = measured.map(({ id, ms }) => (receiver.arrivals.get(id) ?? NaN) - Number(ms))
    return {
      eventsPerSecond: (measured.length * 1000) / load.durationMs,
      p50Ms: quantile(latenciesMs, 0.5),
      p99Ms: quantile(latenciesMs, 0.99),
    }
  } finally {
    for (const connection of connections) connection.close()
    receiver.close()
  }
}

/** A tenant's server that answers at once and notes when each payment's event came, in milliseconds since 1970. */
async function startReceiver() {
  const arrivals = new Map<string, number>()
  let repeated = 0
  const server = createServer((request, response) => {
    const arrivedMs = performance.timeOrigin + performance.now()
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      response.writeHead(204).end()
      const { data } = JSON.parse(text) as { data: { id: string } }
      if (arrivals.has(data.id)) repeated += 1
      else arrivals.set(data.id, arrivedMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    repeated: () => repeated,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sends each request at its time, whether or not earlier ones were answered. @returns the payments' ids */
async function registerSteadily(
  connections: readonly Connection[],
  request: string,
  eventsPerSecond: number,
  durationMs: number,
): Promise<string[]> {
  const count = Math.round((eventsPerSecond * durationMs) / 1000)
  const startedMs = performance.now()
  const ids: string[] = []
  let next = 0
  const drive = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      await delay(Math.max(0, startedMs + (index * 1000) / eventsPerSecond - performance.now()))
      const { status, body } = await connection.send(request)
      if (status !== 201) throw new Error(`a registration was answered ${status}: ${body.slice(0, 500)}`)
      ids.push((JSON.parse(body) as { data: { payment_id: string } }).data.payment_id)
    }
  }
  await Promise.all(connections.map(drive))
  return ids
}

function registering({ api_key: apiKey, public_client_id: client, receivers }: ProductHarness['sandbox'], url: string) {
  return wireText({
    method: 'POST',
    path: '/payment/register/intents-create-order',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(registration({ publicClientId: client, webhookUrl: url, shares: [[receivers.evm[0], 100]] })),
  })
}
