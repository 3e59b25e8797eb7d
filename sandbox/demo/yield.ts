import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { associatedTokenAddress } from '../../chains/solana/token.js'
import { passWeek } from './clock.js'
import { expect, type Demo, type DemoContext } from './demo.js'

/** What both demos work with: the sandbox's Solana wallet, which alone signs, and the chain past the product. */
interface Lender {
  context: DemoContext
  keypair: Keypair
  asset: string
  /** What the wallet holds of the token on the chain, in base units. */
  held: () => Promise<bigint>
}

/** A wallet lends, earns, moves between protocols in one transaction and in two, and takes everything back. */
export const yieldDemos: readonly Demo[] = [
  { title: 'A wallet lends USDC, and moves half of it to another protocol', weeks: 1, run: lendAndMove },
  { title: 'A wallet moves PYUSD, which takes two transactions', run: moveInTwo },
]

async function lendAndMove(context: DemoContext): Promise<void> {
  const lender = await lenderOf(context, 'USDC')
  const { say } = context
  const before = await lender.held()
  await deposit(lender, 'alpha_lend', '500')
  expect(before - (await lender.held()) === 500_000_000n, 'the deposit was not 500 USDC to the unit')
  say(`lent             500 USDC to Jupiter Lend`)
  await passWeek(context)
  const earned = await positionOf(lender, 'alpha_lend')
  expect(earned > 500.12, 'a week earned nothing')
  say(`a week later     ${earned} USDC`)
  const moved = await rebalance(lender, '250')
  expect(moved.length === 1, 'the rebalance took more than one transaction')
  say(`moved            250 USDC to Kamino in one transaction`)
  await withdrawAll(lender, ['alpha_lend', 'beta'])
  const gained = (await lender.held()) - before
  expect(gained > 120_000n, 'the interest is not in the wallet')
  say(`withdrawn        everything; ${Number(gained) / 1e6} USDC more than before`)
}

async function moveInTwo(context: DemoContext): Promise<void> {
  const lender = await lenderOf(context, 'PYUSD')
  const before = await lender.held()
  await deposit(lender, 'alpha_lend', '100')
  const moved = await rebalance(lender, '60')
  expect(moved.length === 2, 'the rebalance fitted into one transaction')
  context.say(`moved            60 PYUSD in two transactions, sent in their order`)
  await withdrawAll(lender, ['alpha_lend', 'beta'])
  // Every step rounds by at most two units against the wallet.
  expect((await lender.held()) >= before - 8n, 'something was lost on the way')
  context.say(`withdrawn        everything`)
}

async function deposit(lender: Lender, provider: string, amount: string): Promise<void> {
  const { transaction } = await lender.context.call('POST', '/yield/deposit', { ...bodyOf(lender), provider, amount })
  await broadcast(lender, [String(transaction)])
}

async function rebalance(lender: Lender, amount: string): Promise<string[]> {
  const legs = { provider_out: 'alpha_lend', provider_in: 'beta' }
  const built = await lender.context.call('PATCH', '/yield/rebalance', { ...bodyOf(lender), ...legs, amount })
  const { transaction, withdraw_transaction: first, deposit_transaction: second } = built
  const transactions = (transaction === undefined ? [first, second] : [transaction]).map(String)
  await broadcast(lender, transactions)
  return transactions
}

async function withdrawAll(lender: Lender, providers: readonly string[]): Promise<void> {
  for (const provider of providers) {
    const { transaction } = await lender.context.call('POST', '/yield/withdraw', {
      ...bodyOf(lender),
      provider,
      all: true,
    })
    await broadcast(lender, [String(transaction)])
    expect((await positionOf(lender, provider)) === 0, `something is left at ${provider}`)
  }
}

async function broadcast({ context, keypair }: Lender, transactions: readonly string[]): Promise<void> {
  const signed = transactions.map((unsigned) => {
    const transaction = Transaction.from(Buffer.from(unsigned, 'base64'))
    transaction.partialSign(keypair)
    return transaction.serialize().toString('base64')
  })
  const { status } = await context.call('POST', '/yield/broadcast', { chain_name: 'solana', op_signed: signed })
  expect(status === 1, 'the broadcast did not succeed')
}

/** What the wallet has at a provider, in whole tokens; 0 where it has nothing. */
async function positionOf({ context, keypair, asset }: Lender, provider: string): Promise<number> {
  const query = new URLSearchParams({ wallet: keypair.publicKey.toBase58(), asset, provider, chain_name: 'solana' })
  const { earnings } = await context.call('GET', `/yield/earnings?${query.toString()}`)
  const [entry] = earnings as { position_on_protocol: number | null; earnings_status: string }[]
  expect(entry?.earnings_status === 'ok' || entry?.earnings_status === 'no_position', 'the position cannot be read')
  return entry.position_on_protocol ?? 0
}

function bodyOf({ keypair, asset }: Lender): object {
  return { chain_name: 'solana', wallet: keypair.publicKey.toBase58(), asset }
}

async function lenderOf(context: DemoContext, asset: string): Promise<Lender> {
  const { chains, wallets } = context.sandbox
  const keypair = Keypair.fromSecretKey(Uint8Array.from(wallets.solana.secret_key))
  const { strategies } = await context.call('GET', `/yield/strategies/${asset}`)
  const [strategy] = strategies as { token: { mint: string } }[]
  expect(strategy !== undefined, `no strategy is in ${asset}`)
  const account = associatedTokenAddress(keypair.publicKey, new PublicKey(strategy.token.mint))
  const connection = new Connection(chains.solana.rpc_url, 'confirmed')
  const held = async () => BigInt((await connection.getTokenAccountBalance(account)).value.amount)
  return { context, keypair, asset, held }
}
