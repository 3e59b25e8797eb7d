import type { FastifyInstance } from 'fastify'
import { RefusedCall } from '../sandbox/refused-call.js'
import type { PartialSandbox, ToyWalletKey } from '../sandbox/sandbox.js'

/** The link that the welcome prints: each visit registers a payment of the demo tenant, and goes to its page. */
export function mountDemoPayment(app: FastifyInstance, sandbox: PartialSandbox, { receiver }: ToyWalletKey): void {
  app.get('/sandbox/pay', async (_request, reply) => {
    const demo = sandbox.demo?.load()
    if (!demo) return reply.code(404).send({ message: 'There is no demo tenant here.' })
    const { demoPaymentLink } = await import('../sandbox/demo-payment.js')
    const call = async (method: 'GET' | 'POST', url: string, body?: object): Promise<Record<string, unknown>> => {
      const headers = { 'x-api-key': demo.apiKey, ...(body && { 'content-type': 'application/json' }) }
      const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
      const envelope = answer.json<{ status: string; data?: Record<string, unknown> }>()
      if (!envelope.data) throw new RefusedCall(`${method} ${url}`, envelope)
      return envelope.data
    }
    return reply.redirect(await demoPaymentLink(call, receiver, demo.publicClientId), 303)
  })
}
