import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from '../kernel/log.js'
import type { AuthenticatedRequest } from './authentication/hook.js'

/** A request once it is answered: for the log and the metrics. */
export interface AnsweredRequest {
  method: string
  /** The route's pattern, never the address itself, which may hold a link's token; `none` for an unknown path. */
  route: string
  /** 499 where the connection was gone before the answer began. */
  status: number
  /** The word of the answer: an envelope's `status`, the code of an error, or the first GraphQL error's in lower case; see `whenOver`. */
  code: string
  tenant: string | null
  ms: number
}

type ToldReply = FastifyReply & { outcomeCode?: string; isStream?: boolean }

/** Notes the word that an answer carries. The last one counts. */
export function tellOutcome(reply: FastifyReply, code: string): void {
  ;(reply as ToldReply).outcomeCode = code
}

/** Notes that an answer is a stream of events, which lasts until its client closes it. */
export function tellStream(reply: FastifyReply): void {
  ;(reply as ToldReply).isStream = true
}

/** The word that an answer carries. One that has none is `ok`, or `refused` where its status is that of an error. */
function outcomeOf(reply: FastifyReply): string {
  return (reply as ToldReply).outcomeCode ?? (reply.statusCode < 400 ? 'ok' : 'refused')
}

/** How a request ended. */
export interface RequestEnd extends Pick<AnsweredRequest, 'status' | 'code' | 'ms'> {
  isStream: boolean
}

/** An answer that did not go out whole: its client gave up, or a proxy, or our own stop. nginx has the status for it. */
function endOf(reply: ToldReply): Omit<RequestEnd, 'ms'> {
  const { raw, isStream = false } = reply
  if (raw.writableFinished || isStream) return { status: reply.statusCode, code: outcomeOf(reply), isStream }
  return { status: raw.headersSent ? reply.statusCode : 499, code: 'connection_closed', isStream }
}

/**
 * Calls `tell` once for each request: when it is answered, or its connection is gone before. Node says both by one event; `onResponse` of
 * fastify knows nothing of the second, and costs each request two listeners more.
 */
export function whenOver(
  app: FastifyInstance,
  log: Logger,
  tell: (request: AuthenticatedRequest, reply: FastifyReply, end: RequestEnd) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const beganMs = performance.now()
    reply.raw.on('close', () => {
      try {
        tell(request, reply, { ...endOf(reply), ms: performance.now() - beganMs })
      } catch (error) {
        // Nothing stands around a listener: what is thrown here would end the process.
        log.error({ requestId: request.id, err: error }, 'a request could not be told of')
      }
    })
    done()
  })
}

/** Asked every few seconds by a supervisor; a line each would bury what matters. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * One line of level `info` for each request, with the id that its answer carries in `x-request-id`.
 * @param count called with each that is no stream of events as well
 */
export function logRequests(app: FastifyInstance, log: Logger, count: (request: AnsweredRequest) => void): void {
  whenOver(app, log, (request, _reply, { status, code, isStream, ms }) => {
    const answered: AnsweredRequest = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status,
      code,
      tenant: request.caller?.tenantId ?? null,
      ms: Math.round(ms * 10) / 10,
    }
    // How long a client listens is no time of an answer.
    if (!isStream) count(answered)
    log[PROBES.has(answered.route) ? 'debug' : 'info']({ ...answered, requestId: request.id }, 'request')
  })
}
