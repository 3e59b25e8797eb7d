import type { PartialSandbox } from '../sandbox/sandbox.js'
import { mountDemoPayment } from './demo-payment-route.js'
import { mountPanel } from './sandbox-panel-route.js'
import type { RunningGateway } from './start-gateway.js'

/** The furthest the clock is moved at once: ten years. */
const ADVANCE_MAX_SECONDS = 10 * 365 * 86_400
const WRONG_SECONDS = `advance_seconds must be a whole number from 1 to ${ADVANCE_MAX_SECONDS}`
const FORBIDDEN = { code: 403, message: 'Access denied. It takes the platform key, in x-api-key.' } as const

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
  const moveClock = async (seconds: unknown): Promise<Date | undefined> => {
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
  void app.register(async (scope) =>
    mountPanel(scope, { sandbox, moveClock, hasPlatformKey, wrongSeconds: WRONG_SECONDS }),
  )
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
