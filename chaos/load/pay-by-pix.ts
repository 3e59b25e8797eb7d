import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from './client.js'
import { CREATE_TRANSACTION, newAmount, newReceivers, type ChainName, type Terms } from './bodies.js'
import { registerForFiat } from './register-for-fiat.js'
import { pick } from './random.js'
import { control, untilEnd, type FlowWorld } from './world.js'

const RAIL = 'pix'

type Habit = 'pay' | 'pay-twice' | 'wrong-amount' | 'late' | 'removed' | 'never' | 'create-twice' | 'slow'

/** A payer scans a code, and the receivers get crypto. */
export async function payByPix(world: FlowWorld): Promise<void> {
  const { random } = world.client
  const chain = pick<ChainName>(random, [
    [3, 'polygon'],
    [2, 'solana'],
  ])
  const terms: Terms = {
    methods: { pixcrypto: true },
    chain,
    symbol: pick(random, [
      [4, 'USDT'],
      [1, 'USDC'],
    ]),
    amount: newAmount(random),
    receivers: newReceivers(
      random,
      chain,
      pick(random, [
        [3, 'one'],
        [2, 'several'],
      ]),
    ),
  }
  const habit = pick<Habit>(random, [
    [12, 'pay'],
    [2, 'pay-twice'],
    [2, 'wrong-amount'],
    [2, 'late'],
    [1, 'removed'],
    [1, 'never'],
    [2, 'create-twice'],
    [2, 'slow'],
  ])
  const registered = await registerForFiat(world, RAIL, terms)
  if (!registered) return
  const charge = (): Promise<string | undefined> => createCharge(world, registered)
  const txid = await charge()
  if (txid === undefined || habit === 'never') return
  const { id } = registered
  await payInItsWay(world, { id, txid, habit, charge })
}

interface Charged {
  id: string
  txid: string
  habit: Habit
  charge: () => Promise<string | undefined>
}

async function payInItsWay(world: FlowWorld, { id, txid, habit, charge }: Charged): Promise<void> {
  switch (habit) {
    case 'pay-twice':
      await pay(world, id, txid)
      await pay(world, id, txid, { again: true })
      break
    case 'wrong-amount':
      await pay(world, id, txid, { valor: '1.23' })
      await payAfresh(world, id, charge)
      break
    case 'late':
    case 'removed':
      await control(
        world,
        `${world.view.simulators.pixUrl}/sandbox/cob/${txid}/${habit === 'late' ? 'expire' : 'remove'}`,
      )
      await delay(1_500)
      await pay(world, id, txid, { again: true })
      await payAfresh(world, id, charge)
      break
    case 'create-twice':
      await pay(world, id, (await charge()) ?? txid)
      break
    case 'slow':
      await delay(5_000)
      await pay(world, id, txid)
      break
    case 'pay':
    case 'never':
      await pay(world, id, txid)
  }
  await untilEnd(world, RAIL, id)
}

/** What came was no payment: the client asks for another charge, and pays that as it should. */
async function payAfresh(world: FlowWorld, id: string, charge: Charged['charge']): Promise<void> {
  const status = await untilEnd(world, RAIL, id)
  if (status !== 'error' && status !== 'reproved') return
  const txid = await charge()
  if (txid !== undefined) await pay(world, id, txid)
}

async function createCharge(
  world: FlowWorld,
  { id, email }: { id: string; email: string },
): Promise<string | undefined> {
  const answer: Answer = await world.client.call({
    method: 'POST',
    path: CREATE_TRANSACTION,
    body: { payment_id: id, transaction_type: 'pixcrypto', payer_email: email, payer_cpf: '529.982.247-25' },
    ...{ rail: RAIL, operation: 'create-transaction', id },
  })
  const charge = answer.data['fiat_tx'] as { txid?: string } | undefined
  return charge?.txid
}

async function pay(world: FlowWorld, id: string, txid: string, wish: object = {}): Promise<void> {
  const { status } = await control(world, `${world.view.simulators.pixUrl}/sandbox/cob/${txid}/pay`, wish)
  world.client.note({ rail: RAIL, operation: 'pay-pix', id, status, request: { txid, ...wish }, answer: null })
}
