import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from '../kernel/log.js'
import type { AuthenticatedRequest } from './authentication/hook.js'

/** A request once it is answered: for the log and the metrics. */
export interface AnsweredRequest {
  method: string
  /** The route's pattern, never the address itself, which may hold a link's token; `none` for an unknown path. */
  route: string
  status: number
  /** The word of the answer: an envelope's `status`, the code of an error, or the first GraphQL error's in lower case; see `outcomeOf`. */
  code: string
  tenant: string | null
  ms: number
}

type ToldReply = FastifyReply & { outcomeCode?: string }

/** Notes the word that an answer carries. The last one counts. */
export function tellOutcome(reply: FastifyReply, code: string): void {
  ;(reply as ToldReply).outcomeCode = code
}

/** The word that an answer carries. One that has none is `ok`, or `refused` where its status is that of an error. */
export function outcomeOf(reply: FastifyReply): string {
  return (reply as ToldReply).outcomeCode ?? (reply.statusCode < 400 ? 'ok' : 'refused')
}

/** Asked every few seconds by a supervisor; a line each would bury what matters. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * One line of level `info` for each request, with the id that its answer carries in `x-request-id`.
 * @param count called with each as well
 */
export function logRequests(app: FastifyInstance, log: Logger, count: (request: AnsweredRequest) => void): void {
  app.addHook('onResponse', (request: AuthenticatedRequest, reply, done) => {
    const answered: AnsweredRequest = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      code: outcomeOf(reply),
      tenant: request.caller?.tenantId ?? null,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    }
    count(answered)
    log[PROBES.has(answered.route) ? 'debug' : 'info']({ ...answered, requestId: request.id }, 'request')
    done()
  })
}
