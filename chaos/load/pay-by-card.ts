import type { Answer } from './client.js'
import { CARDS, cardFields, cardPayer } from '../../sandbox/demo/card-payer.js'
import { CREATE_TRANSACTION, newAmount, newReceivers, type Terms } from './bodies.js'
import { registerForFiat, type Registered } from './register-for-fiat.js'
import { chance, pickNamed } from '../random.js'
import { untilEnd, type FlowContext } from './flow-context.js'

type CardType = 'cardfiat' | 'cardcrypto'

/** A card pays receivers in fiat, or in crypto; refused cards too, and another card after a refusal. */
export async function payByCard(context: FlowContext, rail: 'card' | 'card-crypto'): Promise<void> {
  const { random } = context.client
  const type: CardType = rail === 'card' ? 'cardfiat' : 'cardcrypto'
  const terms: Terms = {
    methods: { [type]: true },
    chain: 'polygon',
    symbol: 'USDT',
    amount: newAmount(random),
    receivers: newReceivers(random, 'polygon', pickNamed(random, { one: 2, several: 2 })),
  }
  const number = pickNamed(random, {
    [CARDS.paid]: 12,
    [CARDS.refused]: 3,
    [CARDS.processing]: 3,
    [CARDS.processingThenFailed]: 1,
    [CARDS.failed]: 1,
  })
  const habit = { byToken: chance(random, 0.25), triesAgain: chance(random, 0.5) }
  const registered = await registerForFiat(context, rail, terms)
  if (!registered) return
  const status = await payWith(context, { rail, type, registered, number, byToken: habit.byToken })
  if (status !== 'reproved' && status !== 'error') return
  if (habit.triesAgain) await payWith(context, { rail, type, registered, number: CARDS.paid, byToken: false })
}

/** One card for one payment. @returns how it ended, as far as it has */
export async function payWith(
  context: FlowContext,
  paid: { rail: string; type: CardType; registered: Registered; number: string; byToken: boolean },
): Promise<string> {
  const { rail, type, registered, number } = paid
  const token = paid.byToken ? await tokenOf(context, rail, number) : undefined
  const body = {
    payment_id: registered.id,
    transaction_type: type,
    ...cardPayer(registered.email, token === undefined ? { card: cardFields(number) } : { card_token: token }),
  }
  await context.client.call({
    method: 'POST',
    path: CREATE_TRANSACTION,
    body,
    ...{ rail, operation: 'create-transaction', id: registered.id },
  })
  return untilEnd(context, rail, registered.id, 60_000)
}

async function tokenOf({ client }: FlowContext, rail: string, number: string): Promise<string | undefined> {
  const answer: Answer = await client.call({
    method: 'POST',
    path: '/payment/card/tokenize',
    body: { type: 'card', card: cardFields(number) },
    ...{ rail, operation: 'tokenize-card' },
  })
  return answer.status === 201 ? String(answer.data['id']) : undefined
}
