import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './client.js'
import { CREATE_TRANSACTION, newAmount, newReceivers, type ChainName, type Terms } from './bodies.js'
import { registerForFiat } from './register-for-fiat.js'
import { pickNamed } from '../random.js'
import { control, untilEnd, type FlowContext } from './flow-context.js'

const RAIL = 'pix'

type Habit = 'pay' | 'pay-twice' | 'wrong-amount' | 'late' | 'removed' | 'never' | 'create-twice' | 'slow'

/** A payer scans a code, and the receivers get crypto. */
export async function payByPix(context: FlowContext): Promise<void> {
  const { random } = context.client
  const chain = pickNamed<ChainName>(random, { polygon: 3, solana: 2 })
  const terms: Terms = {
    methods: { pixcrypto: true },
    chain,
    symbol: pickNamed(random, { USDT: 4, USDC: 1 }),
    amount: newAmount(random),
    receivers: newReceivers(random, chain, pickNamed(random, { one: 3, several: 2 })),
  }
  const habit = pickNamed<Habit>(random, {
    pay: 12,
    'pay-twice': 2,
    'wrong-amount': 2,
    late: 2,
    removed: 1,
    never: 1,
    'create-twice': 2,
    slow: 2,
  })
  const registered = await registerForFiat(context, RAIL, terms)
  if (!registered) return
  const charge = (): Promise<string | undefined> => createCharge(context, registered)
  const txid = await charge()
  if (txid === undefined || habit === 'never') return
  const { id } = registered
  await payInItsWay(context, { id, txid, habit, charge })
}

interface Charged {
  id: string
  txid: string
  habit: Habit
  charge: () => Promise<string | undefined>
}

async function payInItsWay(context: FlowContext, { id, txid, habit, charge }: Charged): Promise<void> {
  switch (habit) {
    case 'pay-twice':
      await pay(context, id, txid)
      await pay(context, id, txid, { again: true })
      break
    case 'wrong-amount':
      await pay(context, id, txid, { valor: '1.23' })
      await payAfresh(context, id, charge)
      break
    case 'late':
    case 'removed':
      await control(
        context,
        `${context.view.simulators.pixUrl}/sandbox/cob/${txid}/${habit === 'late' ? 'expire' : 'remove'}`,
      )
      await delay(1_500)
      await pay(context, id, txid, { again: true })
      await payAfresh(context, id, charge)
      break
    case 'create-twice':
      await pay(context, id, (await charge()) ?? txid)
      break
    case 'slow':
      await delay(5_000)
      await pay(context, id, txid)
      break
    case 'pay':
    case 'never':
      await pay(context, id, txid)
  }
  await untilEnd(context, RAIL, id)
}

/** What came was no payment: the client asks for another charge, and pays that as it should. */
async function payAfresh(context: FlowContext, id: string, charge: Charged['charge']): Promise<void> {
  const status = await untilEnd(context, RAIL, id)
  if (status !== 'error' && status !== 'reproved') return
  const txid = await charge()
  if (txid !== undefined) await pay(context, id, txid)
}

async function createCharge(
  context: FlowContext,
  { id, email }: { id: string; email: string },
): Promise<string | undefined> {
  const answer: Answer = await context.client.call({
    method: 'POST',
    path: CREATE_TRANSACTION,
    body: { payment_id: id, transaction_type: 'pixcrypto', payer_email: email, payer_cpf: '529.982.247-25' },
    ...{ rail: RAIL, operation: 'create-transaction', id },
  })
  const charge = answer.data['fiat_tx'] as { txid?: string } | undefined
  return charge?.txid
}

async function pay(context: FlowContext, id: string, txid: string, body: object = {}): Promise<void> {
  const { status } = await control(context, `${context.view.simulators.pixUrl}/sandbox/cob/${txid}/pay`, body)
  context.client.note({ rail: RAIL, operation: 'pay-pix', id, status, request: { txid, ...body }, answer: null })
}
