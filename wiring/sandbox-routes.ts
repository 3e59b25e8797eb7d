import type { FastifyInstance } from 'fastify'
import type { Sandbox } from '../sandbox/start.js'

/** The furthest the clock is moved at once: ten years. */
const ADVANCE_MAX_SECONDS = 10 * 365 * 86_400

/**
 * The control routes of the sandbox itself, which tell its time and move it; live never mounts them.
 * @param advanceJobs brings jobs forward that wait for a time
 */
export function mountSandboxRoutes(
  app: FastifyInstance,
  sandbox: Sandbox,
  advanceJobs: (seconds: number) => Promise<void>,
): void {
  app.get('/sandbox/clock', () => ({ now: sandbox.now() }))
  app.post<{ Body: { advance_seconds?: unknown } | null }>('/sandbox/clock', async (request, reply) => {
    const seconds = request.body?.advance_seconds
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > ADVANCE_MAX_SECONDS) {
      return reply
        .code(400)
        .send({ message: `advance_seconds must be a whole number from 1 to ${ADVANCE_MAX_SECONDS}` })
    }
    const now = await sandbox.advanceClock(seconds)
    await advanceJobs(seconds)
    return reply.send({ now })
  })
}
