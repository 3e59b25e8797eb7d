import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { EndFault, Fault } from '../fault.js'
import { cut, jsonAnswer, sendAnswer, withoutConnection, type HttpAnswer } from './exchange.js'

/** A fault that is on. */
export interface ActiveFault {
  kind: string
  details: Fault['details']
  /** Aborts when the fault ends: what it holds back is passed on then. */
  ended: AbortSignal
}

/** The faults that are on at one place. */
export interface FaultSet {
  /** The newest one of a kind. */
  find: (kind: string) => ActiveFault | undefined
  begin: (fault: Pick<Fault, 'kind' | 'details'>) => EndFault
  /** Ends all of them. */
  clear: () => void
}

/** No faults yet. */
export function createFaultSet(): FaultSet {
  const active = new Map<ActiveFault, AbortController>()
  const end = (fault: ActiveFault): void => {
    active.get(fault)?.abort()
    active.delete(fault)
  }
  return {
    find: (kind) => [...active.keys()].findLast((fault) => fault.kind === kind),
    begin: ({ kind, details }) => {
      const controller = new AbortController()
      const fault = { kind, details, ended: controller.signal }
      active.set(fault, controller)
      return () => Promise.resolve(end(fault))
    },
    clear: () => {
      for (const fault of active.keys()) end(fault)
    },
  }
}

/** A number among a fault's details. */
export function numberOf({ details }: Pick<Fault, 'details'>, name: string, otherwise: number): number {
  const value = details[name]
  return typeof value === 'number' ? value : otherwise
}

/** So many bytes of an answer go out one by one; the rest follows at once, or a large answer would take hours. */
const TRICKLED_BYTES = 200

/**
 * Carries out one exchange under the faults that are on. In this order: `slow` holds it back for `ms`, `reset` cuts the
 * connection, `limit` answers 429 and `error` answers `status` before any work is done; then the work is done; then
 * `drop-answer` cuts the connection, `late-error` answers `status`, and `trickle` sends one byte every `everyMs`.
 */
export async function exchangeUnder(
  faults: FaultSet,
  response: ServerResponse,
  work: () => Promise<HttpAnswer>,
): Promise<void> {
  const slow = faults.find('slow')
  if (slow) await pause(numberOf(slow, 'ms', 1_000), slow.ended)
  if (faults.find('reset')) return cut(response)
  if (faults.find('limit')) {
    const refusal = { error: { code: 429, message: 'Too Many Requests' }, message: 'Too Many Requests' }
    return sendAnswer(response, jsonAnswer(refusal, 429, { 'retry-after': '1' }))
  }
  const error = faults.find('error')
  if (error) return sendAnswer(response, errorPage(numberOf(error, 'status', 503)))
  const answer = await work()
  if (faults.find('drop-answer')) return cut(response)
  const late = faults.find('late-error')
  if (late) return sendAnswer(response, errorPage(numberOf(late, 'status', 504)))
  const trickle = faults.find('trickle')
  if (!trickle) return sendAnswer(response, answer)
  return sendSlowly(response, answer, numberOf(trickle, 'everyMs', 10), trickle.ended)
}

/** What a load balancer answers in the place of a server that is gone: a page, not the server's own JSON. */
function errorPage(status: number): HttpAnswer {
  const body = Buffer.from(`<html><head><title>${status}</title></head><body>nginx</body></html>`)
  return { status, headers: { 'content-type': 'text/html' }, body }
}

async function sendSlowly(
  response: ServerResponse,
  { status, headers, body }: HttpAnswer,
  everyMs: number,
  ended: AbortSignal,
): Promise<void> {
  response.writeHead(status, { ...withoutConnection(headers), 'content-length': body.length })
  response.socket?.setNoDelay(true)
  let sent = 0
  while (sent < Math.min(TRICKLED_BYTES, body.length) && !response.destroyed) {
    response.write(body.subarray(sent, sent + 1))
    sent += 1
    // Once the fault is over this returns at once, and the rest goes out as fast as it can.
    await pause(everyMs, ended)
  }
  response.end(body.subarray(sent))
}

/** Waits, but not longer than the fault lasts. */
export async function pause(ms: number, ended: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: ended }).catch(() => undefined)
}
