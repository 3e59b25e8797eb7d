import { usdtOf, usdtUnits } from './balances.js'
import { expect, type Demo, type DemoWorld } from './demo.js'
import { registerFromOrder } from './orders.js'

/** Cards of the processor's sandbox: one that pays and one that is refused. */
const GOOD_CARD = '4000000000000010'
const BAD_CARD = '4000000000000028'

/** A card pays: approved, refused, by token, and to receivers of crypto. */
export const cardDemos: readonly Demo[] = [
  {
    title: 'A card pays in fiat',
    run: async (world) => {
      await pay(world, { type: 'cardfiat', payer: rawCard(GOOD_CARD), end: 'success' })
    },
  },
  {
    title: "A card's issuer refuses",
    run: async (world) => {
      await pay(world, { type: 'cardfiat', payer: rawCard(BAD_CARD), end: 'reproved' })
    },
  },
  { title: 'A card pays by token', run: payByToken },
  { title: 'A card pays, the receiver gets USDT', run: payToCrypto },
]

interface CardPayment {
  type: 'cardfiat' | 'cardcrypto'
  payer: object
  end: 'success' | 'reproved'
}

async function payByToken(world: DemoWorld): Promise<void> {
  const token = await world.call('POST', '/payment/card/tokenize', { type: 'card', card: card(GOOD_CARD) })
  world.say(`token            ${String(token['id'])}, good until ${String(token['expires_at'])}`)
  const payer = { card_data: { ...cardData, card_token: token['id'] }, payer_ip: '203.0.113.7', session_id: 'demo' }
  await pay(world, { type: 'cardfiat', payer, end: 'success' })
}

async function payToCrypto(world: DemoWorld): Promise<void> {
  const { sandbox } = world
  const [receiver] = sandbox.receivers.evm
  const before = await usdtOf(sandbox, 'polygon', receiver)
  const status = await pay(world, { type: 'cardcrypto', payer: rawCard(GOOD_CARD), end: 'success' })
  const received = (await usdtOf(sandbox, 'polygon', receiver)) - before
  const due = usdtUnits(String(status['amount_to']))
  expect(received === due, `the receiver got ${received}, but ${due} were due`)
  world.say(`received         ${receiver}  ${String(status['amount_to'])} USDT`)
  world.say(`on the chain     ${String(status['tid_hash'])}`)
}

/** Registers a payment, pays it by card, and follows it to its end. Gives the payment as it is then. */
async function pay(world: DemoWorld, { type, payer, end }: CardPayment): Promise<Record<string, unknown>> {
  const { call, webhooks, say } = world
  const paymentId = await register(world, type)
  say(`registered       ${paymentId}  100 BRL`)
  await call('POST', '/payment/register/intents-create-transaction', cardBody(paymentId, type, payer))
  const events = await webhooks.untilEvent(paymentId, `payment.${end}`)
  say(`signed webhooks  ${events.map((event) => event.type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  expect(status['status'] === end, `the payment is ${String(status['status'])}`)
  const { charges } = status['global_payment_data'] as { charges: Charge[] }
  const transaction = charges[0]?.last_transaction
  say(`processor        ${transaction?.status ?? ''}: ${transaction?.acquirer_message ?? ''}`)
  return status
}

/** What a payer by card sends. @param payer the card, or a token */
export function cardBody(paymentId: string, type: CardPayment['type'], payer: object): object {
  return {
    payment_id: paymentId,
    transaction_type: type,
    payer_email: 'payer@example.com',
    payer_name: 'Ana Silva',
    payer_document: '529.982.247-25',
    payer_document_type: 'CPF',
    payer_phone: { country_code: '55', area_code: '11', number: '987654321' },
    ...payer,
  }
}

interface Charge {
  last_transaction: { status: string; acquirer_message: string }
}

function register(world: DemoWorld, type: CardPayment['type']): Promise<string> {
  const [first, second] = world.sandbox.receivers.evm
  const receivers =
    type === 'cardcrypto'
      ? [{ receiver_wallet: first, receiver_percent: 100 }]
      : [
          { receiver_wallet: first, receiver_percent: 66.67, recipient_id: 'rp_demoShop', liable: true },
          { receiver_wallet: second, receiver_percent: 33.33, recipient_id: 'rp_demoPartner' },
        ]
  const terms = { payment_method_allowed: { [type]: true }, split_payment_config: receivers }
  return registerFromOrder(world, `Card demo (${type})`, terms)
}

const cardData = {
  installments: 1,
  statement_descriptor: 'DEMO SHOP',
  address: {
    country: 'BR',
    state: 'SP',
    city: 'São Paulo',
    neighborhood: 'Bela Vista',
    street: 'Avenida Paulista',
    street_number: '1000',
    zipcode: '01310100',
  },
}

function card(number: string): object {
  return {
    number,
    holder_name: 'ANA SILVA',
    holder_document: '52998224725',
    cvv: '123',
    brand: 'Visa',
    exp_month: 12,
    exp_year: new Date().getUTCFullYear() + 4,
  }
}

/** The fields of a card with a number. */
export function rawCard(number: string): object {
  return { card_data: { ...cardData, card: card(number) } }
}
