import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.js'
import { FORM_PAGE_HEADERS, readForms } from '../form-page.js'
import { startSimulator, type Simulator } from '../simulator.js'
import { sessionPage } from './page.js'
import { addProviderRoutes, type ProviderParts } from './provider-routes.js'
import { DIDIT_STATUSES, isUnfinished, type DiditStatus, type SimulatedSession } from './session.js'
import { createSessions } from './sessions.js'
import { createWebhookSender } from './webhooks.js'

/** What the simulator of the verification provider is made of. */
export interface KycSimulatorOptions {
  port: number
  apiKey: string
  webhookSecret: string
  /** The workflows that sessions can be created for. */
  workflowIds: readonly string[]
  clock: Clock
  /** Where sessions are kept, so that they survive a restart. */
  file?: string
}

/** A running simulator. */
export interface KycSimulator extends Simulator {
  /** Where callbacks go to; the provider's console sets it. */
  setWebhookUrl(url: string): void
}

/** What a session is decided to be. */
interface Decision {
  status: DiditStatus
  blocklisted?: boolean
  vpn?: boolean
  /** The CPF that its look-up finds. */
  document?: string
  /** False: the callback gets lost. */
  callback?: boolean
}

/**
 * Starts a simulator of Didit's API v3 (docs.didit.me) with a hosted page per session. The control route `POST
 * /sandbox/session/{id}/decide {status, blocklisted?, vpn?, document?, callback?}` ends a session in a status of the provider's; so do
 * the buttons of the page; `GET /sandbox/sessions` shows those that are not over. Time alone ends sessions too: after seven days.
 */
export async function startKycSimulator(options: KycSimulatorOptions): Promise<KycSimulator> {
  const { apiKey, workflowIds, clock } = options
  const sessions = createSessions({ file: options.file, clock })
  const webhooks = createWebhookSender({ secret: options.webhookSecret, clock })
  let base = ''
  const urlOf = ({ token }: SimulatedSession): string => `${base}/session/${token}`
  const decide = async (session: SimulatedSession, decision: Decision): Promise<void> => {
    const { status, blocklisted = session.isBlocklisted, vpn = session.isVpn, callback = true } = decision
    const { document = session.document ?? null } = decision
    sessions.change(session, { status, isBlocklisted: blocklisted, isVpn: vpn, document })
    if (callback) await webhooks.send(session, urlOf(session))
  }
  const simulator = await startSimulator({
    port: options.port,
    serverError: { status: 500, body: { detail: 'A server error occurred.' } },
    routes: (app) => {
      addProviderRoutes(app, { sessions, apiKey, workflowIds, urlOf, decide })
      addHostedPage(app, sessions, decide)
      addControl(app, sessions, decide, urlOf)
    },
    onClockMoved: async () => {
      for (const session of sessions.endByTime()) await webhooks.send(session, urlOf(session))
      await webhooks.retryDue()
    },
  })
  base = simulator.url
  return {
    ...simulator,
    setWebhookUrl: (url) => {
      webhooks.setUrl(url)
    },
    close: async () => {
      webhooks.close()
      await simulator.close()
    },
  }
}

type Decide = (session: SimulatedSession, decision: Decision) => Promise<void>
type ByToken = FastifyRequest<{ Params: { token: string } }>

function addHostedPage(app: FastifyInstance, sessions: ProviderParts['sessions'], decide: Decide): void {
  readForms(app)
  const show = (reply: FastifyReply, session: SimulatedSession): FastifyReply =>
    reply.headers(FORM_PAGE_HEADERS).send(sessionPage(session, !isUnfinished(session)))
  app.get('/session/:token', async ({ params }: ByToken, reply) => {
    const session = sessions.findByToken(params.token)
    if (!session) return reply.code(404).send({ detail: 'Not found.' })
    if (session.status === 'Not Started') await decide(session, { status: 'In Progress' })
    return show(reply, session)
  })
  app.post('/session/:token', async ({ params, body }: ByToken, reply) => {
    const session = sessions.findByToken(params.token)
    const { status, blocklisted, vpn } = (body ?? {}) as Record<string, unknown>
    const decision = readDecision({ status, blocklisted: blocklisted === 'true', vpn: vpn === 'true' })
    if (!session || !decision || !isUnfinished(session)) return reply.code(404).send({ detail: 'Not found.' })
    await decide(session, decision)
    return show(reply, session)
  })
}

function addControl(
  app: FastifyInstance,
  sessions: ProviderParts['sessions'],
  decide: Decide,
  urlOf: ProviderParts['urlOf'],
): void {
  app.get('/sandbox/sessions', () => ({
    sessions: sessions.unfinished().map((session) => {
      const { id, number, status, createdAt } = session
      return { id, number, status, createdAt, url: urlOf(session) }
    }),
  }))
  app.post('/sandbox/session/:id/decide', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const session = sessions.find(request.params.id)
    if (!session) return reply.code(404).send({ message: 'no such session' })
    const decision = readDecision(request.body)
    if (!decision) {
      return reply
        .code(400)
        .send({ message: `body: {status: ${DIDIT_STATUSES.join('|')}, blocklisted?, vpn?, document?, callback?}` })
    }
    await decide(session, decision)
    return { session_id: session.id, status: session.status }
  })
}

function readDecision(body: unknown): Decision | undefined {
  const { status: wanted, ...flags } = (body ?? {}) as Partial<Record<keyof Decision, unknown>>
  const status = DIDIT_STATUSES.find((candidate) => candidate === wanted)
  const { blocklisted, vpn, callback, document } = flags
  if (!status || ![blocklisted, vpn, callback].every((flag) => flag === undefined || typeof flag === 'boolean'))
    return undefined
  if (document !== undefined && typeof document !== 'string') return undefined
  return {
    status,
    ...(document !== undefined && { document }),
    ...(typeof blocklisted === 'boolean' && { blocklisted }),
    ...(typeof vpn === 'boolean' && { vpn }),
    ...(typeof callback === 'boolean' && { callback }),
  }
}
