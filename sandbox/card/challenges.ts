import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../kernel/html.js'
import { FORM_PAGE_HEADERS, formPage, readForms } from '../form-page.js'
import type { SentOrder } from './check-order.js'
import type { ChargeChange, SimulatedOrder } from './order.js'
import { objectOf } from './read.js'
import type { CardStore, StoredOrder } from './store.js'

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
  readForms(app)
  const find = (id: string): StoredOrder | undefined => {
    const stored = store.findCharge(id)?.stored
    return stored && 'threed_authentication_url' in stored.order.charges[0].last_transaction ? stored : undefined
  }
  app.get('/threed/:id', async ({ params }: Call, reply) => {
    const stored = find(params.id)
    if (!stored) return reply.code(404).send({ message: 'Charge not found.' })
    return reply.headers(FORM_PAGE_HEADERS).send(challengePage(stored.order))
  })
  app.post('/threed/:id', async ({ params, body }: Answered, reply) => {
    const stored = find(params.id)
    if (!stored) return reply.code(404).send({ message: 'Charge not found.' })
    if (stored.order.charges[0].status === 'pending')
      await change(stored, body.answer === 'confirm' ? 'paid' : 'unauthenticated')
    return reply.headers(FORM_PAGE_HEADERS).send(challengePage(stored.order))
  })
}

function challengePage({ charges: [charge], metadata }: SimulatedOrder): string {
  const back = String(objectOf(metadata)['threed_return_url'])
  const isOver = charge.status !== 'pending'
  const form = html`<form method="post">
    <button name="answer" value="confirm">Confirm</button>
    <button name="answer" value="refuse">It was not me</button>
  </form>`
  return formPage({
    title: 'Your bank',
    head: isOver ? html`<meta http-equiv="refresh" content="0;url=${back}" />` : undefined,
    body: html`<h1>Is it you who pays?</h1>
      <p>This is the sandbox: no bank asks.</p>
      ${isOver ? html`<p><a href="${back}">Back to the shop</a></p>` : form}`,
  })
}
