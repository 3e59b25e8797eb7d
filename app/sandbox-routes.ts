import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import { mountDemoPayment } from './demo-payment-route.js'
import type { RunningGateway } from './start-gateway.js'

/** The furthest the clock is moved at once: ten years. */
const ADVANCE_MAX_SECONDS = 10 * 365 * 86_400
const WRONG_SECONDS = `advance_seconds must be a whole number from 1 to ${ADVANCE_MAX_SECONDS}`
const FORBIDDEN = { code: 403, message: 'Access denied. It takes the platform key, in x-api-key.' } as const

/** Moves all clocks. Gives the new time; undefined where it is no number of seconds. */
type MoveClock = (seconds: unknown) => Promise<Date | undefined>

/**
 * The control routes of the sandbox itself, which tell its time and move it, and its page; live never mounts them. What
 * changes anything takes the platform key: time that has passed cannot be taken back.
 * @param advanceJobs brings jobs forward that wait for a time
 */
export function mountSandboxRoutes(
  { app, hasPlatformKey, pageScripts }: RunningGateway,
  sandbox: PartialSandbox,
  advanceJobs: (seconds: number) => Promise<void>,
): void {
  const moveClock: MoveClock = async (seconds) => {
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > ADVANCE_MAX_SECONDS) {
      return undefined
    }
    const now = await sandbox.advanceClock(seconds)
    await advanceJobs(seconds)
    return now
  }
  app.get('/sandbox/clock', () => ({ now: sandbox.now() }))
  app.post<{ Body: { advance_seconds?: unknown } | null }>('/sandbox/clock', async (request, reply) => {
    if (!(await hasPlatformKey(request.raw.rawHeaders, request.ip))) return reply.code(403).send(FORBIDDEN)
    const now = await moveClock(request.body?.advance_seconds)
    return now ? reply.send({ now }) : reply.code(400).send({ message: WRONG_SECONDS })
  })
  void app.register(async (scope) => mountPanel(scope, { sandbox, moveClock, hasPlatformKey }))
  const { toyWallet } = sandbox
  if (toyWallet) {
    mountDemoPayment(app, sandbox, toyWallet)
    void app.register(async (scope) => {
      const { mountToyWallet, TOY_WALLET_SCRIPT } = await import('../sandbox/toy-wallet/routes.js')
      mountToyWallet(scope, toyWallet)
      pageScripts.push(TOY_WALLET_SCRIPT)
    })
  }
}

/** The page with a button for each control. Forms cannot send headers, so the key is one of their fields. */
async function mountPanel(
  app: FastifyInstance,
  {
    sandbox,
    moveClock,
    hasPlatformKey,
  }: { sandbox: PartialSandbox; moveClock: MoveClock } & Pick<RunningGateway, 'hasPlatformKey'>,
): Promise<void> {
  const { PANEL_HEADERS, panelPage, runPanelAction } = await import('../sandbox/panel.js')
  const show = (reply: FastifyReply, result?: string): FastifyReply =>
    reply.headers(PANEL_HEADERS).send(panelPage(sandbox, result))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, new URLSearchParams(String(body)))
  })
  app.get('/sandbox', (_request, reply) => show(reply))
  app.post('/sandbox', async (request: FastifyRequest, reply) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    if (!(await hasPlatformKey(['x-api-key', form.get('key') ?? ''], request.ip)))
      return show(reply.code(403), FORBIDDEN.message)
    if (form.get('action') !== 'clock') {
      const result = await runPanelAction(sandbox, form)
      return result === undefined ? show(reply.code(404), 'There is no such control here.') : show(reply, result)
    }
    const now = await moveClock(Number(form.get('seconds')))
    return now ? show(reply, now.toISOString()) : show(reply.code(400), WRONG_SECONDS)
  })
}
