import type { FastifyInstance } from 'fastify'
import type { CallProduct } from '../sandbox/demo-payment.js'
import type { PartialSandbox, ToyWalletKey } from '../sandbox/sandbox.js'

/** The link that the welcome prints: each visit registers a payment of the demo tenant, and goes to its page. */
export function mountDemoPayment(app: FastifyInstance, sandbox: PartialSandbox, { receiver }: ToyWalletKey): void {
  app.get('/sandbox/pay', async (_request, reply) => {
    const demo = sandbox.demo?.load()
    if (!demo) return reply.code(404).send({ message: 'There is no demo tenant here.' })
    const { demoPaymentLink } = await import('../sandbox/demo-payment.js')
    const call: CallProduct = async (method, url, body) => {
      const headers = { 'x-api-key': demo.apiKey, ...(body && { 'content-type': 'application/json' }) }
      const response = await fetch(`${app.listeningOrigin}${url}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return response.json()
    }
    return reply.redirect(await demoPaymentLink(call, receiver, demo.publicClientId), 303)
  })
}
