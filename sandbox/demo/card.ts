import { usdtOf } from './balances.js'
import { CARDS, cardFields, cardPayer } from './card-payer.js'
import { expect, type Demo, type DemoContext } from './demo.js'
import { PAYER_EMAIL, registerFromOrder } from './orders.js'
import { showReceived } from './received.js'

/** A card pays: approved, refused, by token, and to receivers of crypto. */
export const cardDemos: readonly Demo[] = [
  {
    title: 'A card pays in fiat',
    run: async (context) => {
      await pay(context, { type: 'cardfiat', payer: payerBy(CARDS.paid), end: 'success' })
    },
  },
  {
    title: "A card's issuer refuses",
    run: async (context) => {
      await pay(context, { type: 'cardfiat', payer: payerBy(CARDS.refused), end: 'reproved' })
    },
  },
  { title: 'A card pays by token', run: payByToken },
  { title: 'A card pays, the receiver gets USDT', run: payToCrypto },
]

const payerBy = (number: string): object => cardPayer(PAYER_EMAIL, { card: cardFields(number) })

interface CardPayment {
  type: 'cardfiat' | 'cardcrypto'
  payer: object
  end: 'success' | 'reproved'
}

async function payByToken(context: DemoContext): Promise<void> {
  const token = await context.call('POST', '/payment/card/tokenize', { type: 'card', card: cardFields(CARDS.paid) })
  context.say(`token            ${String(token['id'])}, good until ${String(token['expires_at'])}`)
  const payer = cardPayer(PAYER_EMAIL, { card_token: token['id'] })
  await pay(context, { type: 'cardfiat', payer, end: 'success' })
}

async function payToCrypto(context: DemoContext): Promise<void> {
  const { sandbox } = context
  const [receiver] = sandbox.receivers.evm
  const before = await usdtOf(sandbox, 'polygon', receiver)
  const status = await pay(context, { type: 'cardcrypto', payer: payerBy(CARDS.paid), end: 'success' })
  showReceived(context.say, { receiver, units: (await usdtOf(sandbox, 'polygon', receiver)) - before }, status)
  context.say(`on the chain     ${String(status['tid_hash'])}`)
}

/** Registers a payment, pays it by card, and follows it to its end. Gives the payment as it is then. */
async function pay(context: DemoContext, { type, payer, end }: CardPayment): Promise<Record<string, unknown>> {
  const { call, webhooks, say } = context
  const paymentId = await register(context, type)
  say(`registered       ${paymentId}  100 BRL`)
  await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: type,
    ...payer,
  })
  const events = await webhooks.untilEvent(paymentId, `payment.${end}`)
  say(`signed webhooks  ${events.map((event) => event.type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  expect(status['status'] === end, `the payment is ${String(status['status'])}`)
  const { charges } = status['global_payment_data'] as { charges: Charge[] }
  const transaction = charges[0]?.last_transaction
  say(`processor        ${transaction?.status ?? ''}: ${transaction?.acquirer_message ?? ''}`)
  return status
}

interface Charge {
  last_transaction: { status: string; acquirer_message: string }
}

function register(context: DemoContext, type: CardPayment['type']): Promise<string> {
  const [first, second] = context.sandbox.receivers.evm
  const receivers =
    type === 'cardcrypto'
      ? [{ receiver_wallet: first, receiver_percent: 100 }]
      : [
          { receiver_wallet: first, receiver_percent: 66.67, recipient_id: 'rp_demoShop', liable: true },
          { receiver_wallet: second, receiver_percent: 33.33, recipient_id: 'rp_demoPartner' },
        ]
  const terms = { payment_method_allowed: { [type]: true }, split_payment_config: receivers }
  return registerFromOrder(context, `Card demo (${type})`, terms)
}
