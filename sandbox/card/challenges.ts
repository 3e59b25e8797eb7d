import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, styledPage } from '../../kernel/html.js'
import type { SentOrder } from './check-order.js'
import type { ChargeChange, SimulatedOrder } from './order.js'
import { objectOf } from './read.js'
import type { CardStore, StoredOrder } from './store.js'

const { style, headers } = styledPage(
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
    'button{display:block;width:100%;font:inherit;padding:.8rem;margin:.5rem 0}',
  { ownForms: true },
)

/** Has an order wait for its payer, who is asked by the issuer whether it is he (3-D Secure). */
export function beginChallenge(order: SimulatedOrder, { creditCard }: SentOrder, simulatorUrl: string): void {
  const { success_url: returnUrl } = objectOf(objectOf(creditCard['authentication'])['threed_secure'])
  const [charge] = order.charges
  charge.last_transaction['threed_authentication_url'] = `${simulatorUrl}/threed/${charge.id}`
  order['metadata'] = { threed_return_url: returnUrl }
}

type Call = FastifyRequest<{ Params: { id: string } }>
type Answered = FastifyRequest<{ Params: { id: string }; Body: { answer?: unknown } }>

/** The issuer's page, to which the payer is sent, and what it does with the answer. */
export function addChallenges(
  app: FastifyInstance,
  store: CardStore,
  change: (stored: StoredOrder, what: ChargeChange) => Promise<void>,
): void {
  // What a form without files sends.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  const find = (id: string): StoredOrder | undefined => {
    const stored = store.findCharge(id)?.stored
    return stored && 'threed_authentication_url' in stored.order.charges[0].last_transaction ? stored : undefined
  }
  app.get('/threed/:id', async ({ params }: Call, reply) => {
    const stored = find(params.id)
    if (!stored) return reply.code(404).send({ message: 'Charge not found.' })
    return reply.headers(headers).send(challengePage(stored.order))
  })
  app.post('/threed/:id', async ({ params, body }: Answered, reply) => {
    const stored = find(params.id)
    if (!stored) return reply.code(404).send({ message: 'Charge not found.' })
    if (stored.order.charges[0].status === 'pending')
      await change(stored, body.answer === 'confirm' ? 'paid' : 'unauthenticated')
    return reply.headers(headers).send(challengePage(stored.order))
  })
}

function challengePage({ charges: [charge], metadata }: SimulatedOrder): string {
  const back = String(objectOf(metadata)['threed_return_url'])
  const isOver = charge.status !== 'pending'
  const form = html`<form method="post">
    <button name="answer" value="confirm">Confirm</button>
    <button name="answer" value="refuse">It was not me</button>
  </form>`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${isOver ? html`<meta http-equiv="refresh" content="0;url=${back}" />` : undefined}
        <title>Your bank</title>
        ${style}
      </head>
      <body>
        <h1>Is it you who pays?</h1>
        <p>This is the sandbox: no bank asks.</p>
        ${isOver ? html`<p><a href="${back}">Back to the shop</a></p>` : form}
      </body>
    </html>`.text
}
