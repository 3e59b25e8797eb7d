import { CARDS, cardFields, cardPayer } from './card-payer.js'
import { passWeek } from './clock.js'
import { expect, type Demo, type DemoContext } from './demo.js'
import { PAYER_EMAIL, registerFromOrder } from './orders.js'

/** A subscription by card, over a week: renewed, and refused. */
export const subscriptionDemos: readonly Demo[] = [
  {
    title: 'A subscription renews itself',
    weeks: 1,
    run: (context) => subscribe(context, CARDS.paid, 'subscription.renewed'),
  },
  {
    title: "A subscription's card is refused",
    weeks: 1,
    run: (context) => subscribe(context, CARDS.refusedOnFile, 'subscription.past_due'),
  },
]

async function subscribe(context: DemoContext, number: string, end: string): Promise<void> {
  const { sandbox, call, webhooks, say } = context
  const paymentId = await registerFromOrder(context, 'Subscription demo', {
    payment_method_allowed: { cardfiat: true },
    split_payment_config: [
      { receiver_wallet: sandbox.receivers.evm[0], receiver_percent: 100, recipient_id: 'rp_demoShop' },
    ],
    gateway_method: 'subs',
    subscription_payment_config: { plan_name: 'Gold', interval: 'weekly', charge: true },
  })
  await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'cardfiat',
    ...cardPayer(PAYER_EMAIL, { card: cardFields(number) }),
  })
  const { payment: paid } = (await graphql(context, SUBSCRIPTION_OF, paymentId)) as { payment: { subscription: Begun } }
  const { id, nextPaymentAt } = paid.subscription
  say(`first payment    ${paymentId}  100 BRL`)
  say(`subscription     ${id}, next due ${nextPaymentAt}`)
  await passWeek(context)
  const events = await webhooks.untilEvent(id, end)
  say(`signed webhooks  ${events.map((event) => event.type).join(' → ')}`)
  const last = events.at(-1)?.data
  const { status } = await call('GET', `/payment/${String(last?.['payment_id'])}/status`)
  say(`second payment   ${String(last?.['payment_id'])}  ${String(status)}`)
  expect(status === (end === 'subscription.renewed' ? 'success' : 'reproved'), `the payment is ${String(status)}`)
  await graphql(context, CANCEL, id)
  await webhooks.untilEvent(id, 'subscription.canceled')
  say('canceled')
}

interface Begun {
  id: string
  nextPaymentAt: string
}

const SUBSCRIPTION_OF = 'query ($id: ID!) { payment(id: $id) { subscription { id nextPaymentAt } } }'
const CANCEL = 'mutation ($id: ID!) { cancelSubscription(id: $id) { errors { code } } }'

async function graphql({ sandbox }: DemoContext, query: string, id: string): Promise<object> {
  const response = await fetch(`${sandbox.rest_url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { id } }),
  })
  const answer = (await response.json()) as { data?: object | null; errors?: unknown }
  if (!answer.data || answer.errors) throw new Error(`GraphQL answered ${JSON.stringify(answer)}`)
  return answer.data
}
