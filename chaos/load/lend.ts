import { between, pickNamed } from '../random.js'
import { signSolana } from './solana-purse.js'
import type { FlowContext } from './flow-context.js'

const RAIL = 'yield'
/** Lenders' wallets, beside those that pay. */
const FIRST_WALLET = 100
const WALLETS = 4

/** A wallet lends some, and takes it back. */
export async function lend(context: FlowContext): Promise<void> {
  const { client, solana } = context
  const { random } = client
  const provider = pickNamed(random, { alpha_lend: 1, beta: 1 })
  const amount = String(between(random, 2, 20))
  const number = FIRST_WALLET + between(random, 0, WALLETS - 1)
  const listed = await client.call({
    method: 'GET',
    path: '/yield/strategies',
    rail: RAIL,
    operation: 'yield-strategies',
  })
  const strategies = (listed.data['strategies'] ?? []) as { provider: string; token: { symbol: string } }[]
  if (!strategies.some((one) => one.provider === provider && one.token.symbol === 'USDC')) return
  const keypair = await solana.wallet(number)
  const wallet = keypair.publicKey.toBase58()
  const about = { provider, asset: 'USDC', wallet, chain_name: 'solana' }
  const move = async (path: string, operation: string, body: object): Promise<void> => {
    const built = await client.call({ method: 'POST', path, body: { ...about, ...body }, rail: RAIL, operation })
    if (built.status !== 200) return
    const { wire, signature } = signSolana(keypair, String(built.data['transaction']))
    client.note({ rail: RAIL, operation: 'sign-yield', id: signature, status: 200, request: null, answer: null })
    const signed = { chain_name: 'solana', op_signed: wire.toString('base64') }
    const broadcast = { operation: 'broadcast-yield', id: signature, rail: RAIL }
    await client.call({ method: 'POST', path: '/yield/broadcast', body: signed, ...broadcast })
  }
  await move('/yield/deposit', 'deposit-yield', { amount })
  await move('/yield/withdraw', 'withdraw-yield', { all: true, amount })
}
