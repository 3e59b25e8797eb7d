import { createServer } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge as PromGauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from '../gateway/request-log.js'
import type { Gauge } from '../kernel/gauge.js'
import { lostLogLines, type Logger } from '../kernel/log.js'

/** From a look-up in memory to a payer's transaction that is waited for. */
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** The figures of one process, in the form of Prometheus. */
export interface Metrics {
  count: (request: AnsweredRequest) => void
  /** Adds figures that are read when somebody asks. */
  add: (gauges: readonly Gauge[]) => void
  /** The text of `GET /metrics`. */
  text: () => Promise<string>
}

/** The figures of this process: its own (memory, event loop), its requests, and what is added. */
export function createMetrics(log: Logger): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route, status and the word of the answer',
    labelNames: ['method', 'route', 'status', 'code'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  new Counter({
    name: 'log_lines_lost_total',
    help: 'Lines of the log that could not be written',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(lostLogLines())
    },
  })
  const collect = async (gauge: PromGauge, { read, name }: Gauge): Promise<void> => {
    gauge.reset()
    try {
      for (const { labels, value } of await read()) gauge.set({ ...labels }, value)
    } catch (error) {
      // The other figures are told all the same; one that is missing is seen.
      log.warn({ err: error, gauge: name }, 'a figure could not be read')
    }
  }
  return {
    count: ({ method, route, status, code, ms }) => {
      requests.observe({ method, route, status, code }, ms / 1000)
    },
    add: (gauges) => {
      for (const of of gauges) {
        const gauge: PromGauge = new PromGauge({
          name: of.name,
          help: of.help,
          labelNames: [...of.labels],
          registers: [registry],
          collect: () => collect(gauge, of),
        })
      }
    },
    text: () => registry.metrics(),
  }
}

/**
 * Serves `GET /metrics`, on a port of its own: figures are the operator's, and no key of a tenant opens them.
 * @returns where it listens, and what ends it
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
