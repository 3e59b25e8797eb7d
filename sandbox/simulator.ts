import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/** How a simulator can be told to fail, as in the control route `POST /sandbox/faults`. */
export const FAULT_MODES = ['down', 'slow', 'error', 'drop-answer', 'ok'] as const
export type FaultMode = (typeof FAULT_MODES)[number]

/** A failure that was ordered. */
export interface Fault {
  mode: FaultMode
  /** Calls left that fail; Infinity until the next reset. */
  times: number
  /** How long `slow` holds a call back, in milliseconds. */
  ms: number
  /** Only calls whose address contains this fail: whatever else asks meanwhile neither fails nor uses the fault up. */
  about: string
}

const SLOW_DEFAULT_MS = 10_000
const SLOW_MAX_MS = 120_000

/** What a simulator of one provider is made of. */
export interface SimulatorOptions {
  /** 0 takes a free port. */
  port: number
  /** The provider's own answer when it fails inside: a 5xx status and its usual body. */
  serverError: { status: number; body: unknown }
  /** Adds the provider's routes, and control routes under `/sandbox/`. */
  routes: (app: FastifyInstance) => void
  /** What falls due as time passes, e.g. callbacks; called after the product's clock was moved. */
  onClockMoved?: () => void | Promise<void>
}

/** A running simulator. */
export interface Simulator {
  /** Its base address, without a slash at the end. */
  url: string
  /** To be called after a move of the clock that the simulator was given. */
  advanceClock(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a provider's simulator on 127.0.0.1. The control route `POST /sandbox/faults {mode, times?, ms?, about?}` makes
 * every call outside `/sandbox/` fail, or those whose address contains `about`: `down` cuts the connection before anything happens, `slow` holds the call back, `error`
 * answers the provider's own 5xx, `drop-answer` does the work and then cuts the connection; `ok` ends it. `GET
 * /sandbox/calls` tells how many calls there were. Rejects where the port is taken.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const app = fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } })
  const stopped = new AbortController()
  // A simulator that stops must not wait for calls that it holds back.
  app.addHook('preClose', (done) => {
    stopped.abort()
    done()
  })
  addFaults(app, options.serverError, stopped.signal)
  options.routes(app)
  await app.listen({ host: '127.0.0.1', port: options.port })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    advanceClock: async () => options.onClockMoved?.(),
    close: () => app.close(),
  }
}

function addFaults(app: FastifyInstance, serverError: SimulatorOptions['serverError'], stopped: AbortSignal): void {
  let fault: Fault | undefined
  const dropped = new WeakSet<FastifyRequest>()

  function take(url: string): Fault | undefined {
    const taken = fault
    if (!taken || !url.includes(taken.about)) return undefined
    taken.times -= 1
    if (taken.times <= 0) fault = undefined
    return taken
  }

  let count = 0
  app.get('/sandbox/calls', () => ({ count }))
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/sandbox/')) return
    count += 1
    const taken = take(request.url)
    if (taken?.mode === 'down') {
      cut(request, reply)
    } else if (taken?.mode === 'slow') {
      const held = await sleep(taken.ms, 'over', { signal: stopped }).catch(() => 'stopped')
      if (held === 'stopped') cut(request, reply)
    } else if (taken?.mode === 'error') {
      await reply.code(serverError.status).send(serverError.body)
    } else if (taken?.mode === 'drop-answer') {
      dropped.add(request)
    }
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (dropped.has(request)) cut(request, reply)
    else done(null, payload)
  })
  app.post('/sandbox/faults', async (request, reply) => {
    const wanted = readFault(request.body)
    if (!wanted) return reply.code(400).send({ message: `body: {mode: ${FAULT_MODES.join('|')}, times?, ms?, about?}` })
    fault = wanted.mode === 'ok' ? undefined : wanted
    return { mode: wanted.mode }
  })
}

/** Ends the exchange as a crashed server does: a reset, and no answer. */
function cut(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
}

/** Reads the body of `POST /sandbox/faults`; undefined where it is none. */
export function readFault(body: unknown): Fault | undefined {
  const asked = (body ?? {}) as Partial<Record<keyof Fault, unknown>>
  const { mode, times = Infinity, ms = SLOW_DEFAULT_MS, about = '' } = asked
  const known = FAULT_MODES.find((candidate) => candidate === mode)
  if (!known || typeof times !== 'number' || times < 1 || typeof ms !== 'number' || ms < 0 || ms > SLOW_MAX_MS)
    return undefined
  return typeof about === 'string' ? { mode: known, times, ms, about } : undefined
}
