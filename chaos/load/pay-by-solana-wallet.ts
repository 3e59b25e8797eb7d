import type { Keypair } from '@solana/web3.js'
import { CREATE_TRANSACTION, EXECUTE, newAmount, newReceivers, type Terms } from './bodies.js'
import { registerDirect } from './order-shelf.js'
import { between, pickNamed } from '../random.js'
import { signSolana } from './solana-purse.js'
import { untilEnd, type FlowContext } from './flow-context.js'

const RAIL = 'solana'
/** A client builds again where it was told to; after this many it lets it be. */
const ROUNDS_MAX = 5
const WALLETS = 5

type Habit = 'execute' | 'broadcast-first' | 'broadcast-after' | 'execute-twice'

/** A wallet pays on Solana, one receiver or several. */
export async function payBySolanaWallet(context: FlowContext): Promise<void> {
  const { client, solana } = context
  const { random } = client
  const terms: Terms = {
    methods: { crypto: true },
    chain: 'solana',
    symbol: pickNamed(random, { USDT: 6, USDC: 3 }),
    amount: newAmount(random),
    receivers: newReceivers(random, 'solana', pickNamed(random, { one: 3, several: 2 })),
  }
  const habit = pickNamed<Habit>(random, { execute: 8, 'broadcast-first': 3, 'broadcast-after': 2, 'execute-twice': 2 })
  const number = between(random, 0, WALLETS - 1)
  const id = await registerDirect(client, RAIL, terms)
  if (id === undefined) return
  const payer = await solana.wallet(number)
  for (let round = 0; round < ROUNDS_MAX && !client.isOver(); round += 1) {
    await payOnce(context, { id, payer, symbol: terms.symbol, habit })
    // Only a payment that has ended is paid again: until then the first signature may still land.
    const status = await untilEnd(context, RAIL, id)
    if (status !== 'error') return
  }
}

async function payOnce(
  { client, solana }: FlowContext,
  { id, payer, symbol, habit }: { id: string; payer: Keypair; symbol: string; habit: Habit },
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX && !client.isOver(); round += 1) {
    const created = await client.call({
      method: 'POST',
      path: CREATE_TRANSACTION,
      body: {
        ...{ payment_id: id, transaction_type: 'crypto', payer_email: 'ana@example.com', chain_name: 'solana' },
        ...{ payer_wallet: payer.publicKey.toBase58(), payer_token_symbol: symbol },
      },
      ...{ rail: RAIL, operation: 'create-transaction', id },
    })
    if (created.status !== 201) return
    const { serialized } = created.data['crypto_tx'] as { serialized: string }
    const { wire, signature } = signSolana(payer, serialized)
    const signed = { chain: 'solana', hash: signature }
    client.note({ rail: RAIL, operation: 'sign', id, status: 200, request: signed, answer: null })
    const execute = (): ReturnType<typeof client.call> =>
      client.call({
        method: 'POST',
        path: EXECUTE,
        body: { payment_id: id, signed_transaction: wire.toString('base64') },
        ...{ rail: RAIL, operation: 'execute-on-chain', id, isOwed: habit === 'broadcast-first' },
      })
    if (habit === 'broadcast-first') await solana.broadcast(wire)
    const answers = await Promise.all(habit === 'execute-twice' ? [execute(), execute()] : [execute()])
    if (habit === 'broadcast-after') await solana.broadcast(wire)
    // The API says that these bytes can never land any more, so a client may sign others.
    if (!answers.some(({ code }) => code === 'solana_blockhash_expired')) return
  }
}
