import type { PrivateKeyAccount } from 'viem/accounts'
import type { Answer } from './client.js'
import { CREATE_TRANSACTION, EXECUTE, newAmount, newReceivers, type Terms } from './bodies.js'
import type { UnsignedRequest } from '../../sandbox/demo/sign-request.js'
import { signEvm } from './evm-purse.js'
import { registerDirect, registerFromOrder } from './order-shelf.js'
import { chance, pickNamed } from '../random.js'
import { untilEnd, type FlowContext } from './flow-context.js'

/** A client builds again where it was told to; after this many it lets it be. */
const ROUNDS_MAX = 5

type Habit = 'execute' | 'broadcast-first' | 'execute-twice' | 'broadcast-after' | 'create-twice' | 'never'

/** A wallet pays on the EVM chain, one receiver or several, directly or from an order. */
export async function payByEvmWallet(context: FlowContext, rail: 'evm' | 'evm-split'): Promise<void> {
  const { client, evm, orders } = context
  const { random } = client
  const terms: Terms = {
    methods: { crypto: true },
    chain: 'polygon',
    symbol: pickNamed(random, { USDT: 6, USDC: 3 }),
    amount: newAmount(random),
    receivers: newReceivers(random, 'polygon', rail === 'evm' ? 'one' : 'several'),
  }
  const habit = pickNamed<Habit>(random, {
    execute: 10,
    'broadcast-first': 3,
    'execute-twice': 2,
    'broadcast-after': 2,
    'create-twice': 2,
    never: 1,
  })
  const orderId = chance(random, 0.25) ? await orders.take('polygon') : undefined
  const id =
    orderId === undefined
      ? await registerDirect(client, rail, terms)
      : await registerFromOrder(client, { orderId, rail, terms })
  if (orderId !== undefined) orders.giveBack('polygon', orderId)
  if (id === undefined || habit === 'never') return
  const payer = await evm.take(client.isOver)
  if (await payRounds(context, { rail, id, terms, habit, payer })) evm.giveBack(payer)
}

interface Paying {
  rail: string
  id: string
  terms: Terms
  habit: Habit
  payer: PrivateKeyAccount
}

/** @returns whether nothing of the payer's is on its way any more */
async function payRounds(context: FlowContext, paying: Paying): Promise<boolean> {
  const { rail, id, habit } = paying
  for (let round = 0; round < ROUNDS_MAX && !context.client.isOver(); round += 1) {
    const created = await create(context, paying)
    if (habit === 'create-twice' && round === 0) {
      // The page was loaded again: the client signs what it got first, and hands that in.
      const again = await create(context, paying)
      if (created.status === 201 && again.status === 201) await hand(context, paying, created)
    } else if (created.status === 201) {
      await hand(context, paying, created)
    }
    // Refused as already processed is no failure: the status says what has become of it.
    const status = await untilEnd(context, rail, id, 30_000)
    if (status === 'success') return true
    if (status === 'registered' && created.status >= 400) return true
  }
  return false
}

function create({ client }: FlowContext, { rail, id, terms, payer }: Paying): Promise<Answer> {
  const body = {
    ...{ payment_id: id, transaction_type: 'crypto', payer_email: 'ana@example.com' },
    ...{ payer_wallet: payer.address, chain_name: 'polygon', payer_token_symbol: terms.symbol },
  }
  return client.call({ method: 'POST', path: CREATE_TRANSACTION, body, rail, operation: 'create-transaction', id })
}

/** Signs what was built, and gets it onto the chain in the client's way. */
async function hand(context: FlowContext, paying: Paying, created: Answer): Promise<void> {
  const { client, evm } = context
  const { rail, id, habit, payer } = paying
  const { transactionRequest } = created.data['crypto_tx'] as { transactionRequest: UnsignedRequest }
  const { raw, hash } = await signEvm(payer, transactionRequest)
  // What was signed is written down before anybody can send it.
  client.note({ rail, operation: 'sign', id, status: 200, request: { chain: 'polygon', hash }, answer: null })
  const execute = (): Promise<Answer> =>
    client.call({
      method: 'POST',
      path: EXECUTE,
      body: { payment_id: id, signed_transaction: raw },
      ...{ rail, operation: 'execute-on-chain', id, isOwed: habit === 'broadcast-first' },
    })
  if (habit === 'broadcast-first') await evm.broadcast(raw)
  await Promise.all(habit === 'execute-twice' ? [execute(), execute()] : [execute()])
  if (habit === 'broadcast-after') await evm.broadcast(raw)
}
