import type { ServerResponse } from 'node:http'
import { jsonAnswer, sendAnswer, startHttpServer, type HttpRequest, type HttpServer } from '../http/exchange.js'
import { createFaultSet, numberOf, pause, type FaultSet } from '../http/http-faults.js'
import { forgedCopy } from './forged.js'
import { createGateways } from './gateways.js'

/** The product's public address, which providers call. */
export interface CallbackProxy extends HttpServer {
  faults: FaultSet
  /** Forged callbacks that a gateway did not refuse, as `<status> <path>`: each one is a finding. */
  acceptedForgeries: readonly string[]
  /** Resolves once everything that was told late has been told. */
  settled: () => Promise<void>
}

/**
 * Starts the address that providers call back. Everything goes to a gateway; callbacks (`POST /callbacks/...`) while a
 * fault is on: `twice`, to two gateways at once; `late` by `ms`; `reorder`, one waits until the next has gone; `forge`,
 * a stranger's copy comes first and has to be refused; `drop`, nobody is told. A provider whose callback is late, out of
 * order or dropped is told that it was taken, and does not send it again.
 */
export async function startCallbackProxy(options: { gateways: () => readonly string[] }): Promise<CallbackProxy> {
  const gateways = createGateways(options.gateways)
  const faults = createFaultSet()
  const stopped = new AbortController()
  const acceptedForgeries: string[] = []
  const underway = new Set<Promise<void>>()
  let held: (() => void) | undefined

  const later = (work: Promise<void>): void => {
    underway.add(work)
    void work.finally(() => underway.delete(work))
  }
  const tell = (request: HttpRequest): Promise<void> => gateways.askUntilTaken(request, stopped.signal)
  const hold = (request: HttpRequest, ended: AbortSignal): void => {
    const released = new Promise<void>((resolve) => {
      held = resolve
      ended.addEventListener('abort', () => resolve())
    })
    later(released.then(() => tell(request)))
  }
  const passOn = async (request: HttpRequest, response: ServerResponse): Promise<void> => {
    const [answer] = await Promise.all([
      gateways.ask(request),
      faults.find('twice') && gateways.ask(request).catch(() => undefined),
    ])
    sendAnswer(response, answer)
  }
  const callback = async (request: HttpRequest, response: ServerResponse): Promise<void> => {
    if (faults.find('forge')) {
      const answer = await gateways.ask(forgedCopy(request)).catch(() => undefined)
      if (answer && answer.status < 400) acceptedForgeries.push(`${answer.status} ${request.path}`)
    }
    if (faults.find('drop')) return sendAnswer(response, taken())
    const late = faults.find('late')
    if (late) {
      later(pause(numberOf(late, 'ms', 1_000), late.ended).then(() => tell(request)))
      return sendAnswer(response, taken())
    }
    const reorder = faults.find('reorder')
    if (reorder && !held) {
      hold(request, reorder.ended)
      return sendAnswer(response, taken())
    }
    await passOn(request, response)
    held?.()
    held = undefined
  }
  const server = await startHttpServer((request, response) =>
    request.method === 'POST' && request.path.startsWith('/callbacks/')
      ? callback(request, response)
      : passOn(request, response),
  )
  const settled = async (): Promise<void> => {
    await Promise.all(underway)
  }
  return {
    ...server,
    faults,
    acceptedForgeries,
    settled,
    close: async () => {
      stopped.abort()
      faults.clear()
      held?.()
      await settled()
      await server.close()
    },
  }
}

function taken() {
  return jsonAnswer({ received: true })
}
