import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { RunningGateway } from './start-gateway.js'

/** What the panel needs of the sandbox's routes. */
interface PanelParts extends Pick<RunningGateway, 'hasPlatformKey'> {
  sandbox: PartialSandbox
  /** Moves all clocks. Gives the new time; undefined where it is no number of seconds. */
  moveClock: (seconds: unknown) => Promise<Date | undefined>
  wrongSeconds: string
}

/** A browser that has shown the platform key, and what its last form was answered, until that was shown. */
interface PanelSession {
  result: string | undefined
}

const COOKIE = 'sandbox'
/** More browsers than that are not at one sandbox: the oldest has to show the key again. */
const SESSIONS_MAX = 100

/**
 * The page of the sandbox, with a button for everything that is open in it. The platform key is shown once: the browser
 * then has a cookie that no other site's form is sent with. It is good until the process ends.
 */
export async function mountPanel(app: FastifyInstance, parts: PanelParts): Promise<void> {
  const { sandbox, hasPlatformKey } = parts
  const { PANEL_HEADERS, panelPage } = await import('../sandbox/panel/page.js')
  const { openThings } = await import('../sandbox/panel/open-things.js')
  const sessions = new Map<string, PanelSession>()
  const sessionOf = ({ headers }: FastifyRequest): PanelSession | undefined =>
    sessions.get(new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1] ?? '')
  const askForKey = (reply: FastifyReply, refusal?: string): FastifyReply =>
    reply.headers(PANEL_HEADERS).send(panelPage(sandbox, undefined, refusal))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
  app.get('/sandbox', async (request, reply) => {
    const session = sessionOf(request)
    if (!session) return askForKey(reply)
    const { result } = session
    session.result = undefined
    return reply.headers(PANEL_HEADERS).send(panelPage(sandbox, { open: await openThings(sandbox), result }))
  })
  app.post('/sandbox/key', async (request, reply) => {
    const key = formOf(request).get('key')?.trim() ?? ''
    if (!(await hasPlatformKey(['x-api-key', key], request.ip)))
      return askForKey(reply.code(403), 'That is not the platform key.')
    const [oldest] = sessions.keys()
    if (oldest !== undefined && sessions.size >= SESSIONS_MAX) sessions.delete(oldest)
    const token = randomBytes(24).toString('base64url')
    sessions.set(token, { result: undefined })
    reply.header('set-cookie', `${COOKIE}=${token}; Path=/sandbox; HttpOnly; SameSite=Strict`)
    return reply.redirect('/sandbox', 303)
  })
  app.post('/sandbox', async (request, reply) => {
    const session = sessionOf(request)
    if (!session) return askForKey(reply.code(403), 'Show the platform key first.')
    session.result = await act(parts, formOf(request))
    // A page that is loaded again must not do it again.
    return reply.redirect('/sandbox', 303)
  })
}

/** Does what a form asks for. @returns what it came to, for the page */
async function act({ sandbox, moveClock, wrongSeconds }: PanelParts, form: URLSearchParams): Promise<string> {
  if (form.get('action') === 'clock') {
    const now = await moveClock(Number(form.get('seconds')))
    return now ? `It is ${now.toISOString()} now.` : wrongSeconds
  }
  const { runPanelAction } = await import('../sandbox/panel/actions.js')
  return (await runPanelAction(sandbox, form)) ?? 'There is no such control here.'
}

function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}
