import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { privateKeyToAccount } from 'viem/accounts'
import { usdtOf, usdtText, usdtUnits, type DemoChain } from './balances.js'
import { expect, type Demo, type DemoContext, type SandboxDescription } from './demo.js'
import { registerPayment } from './orders.js'
import { signRequest, type UnsignedRequest } from './sign-request.js'

interface Receiver {
  wallet: string
  percent: number
}

/** A wallet pays on polygon: once to one receiver, once to two that share 70/30. */
export const cryptoDemos: readonly Demo[] = [
  { title: 'A wallet pays one receiver', run: (context) => pay(context, 'polygon', [100]) },
  { title: 'A wallet pays two receivers, 70/30', run: (context) => pay(context, 'polygon', [70, 30]) },
]

/** A Solana wallet pays two receivers in one transaction. */
export const solanaDemos: readonly Demo[] = [
  { title: 'A Solana wallet pays two receivers, 70/30', run: (context) => pay(context, 'solana', [70, 30]) },
]

/** What `crypto_tx` says of a transaction, by the family of its chain. */
interface BuiltTransaction {
  transactionRequest: UnsignedRequest
  serialized: string
  meta: { source: string }
}

async function pay(context: DemoContext, chain: DemoChain, percents: readonly number[]): Promise<void> {
  const { call, sandbox, webhooks, say } = context
  const { wallets, receivers: known } = sandbox
  const addresses = chain === 'polygon' ? known.evm : known.solana
  const receivers = percents.map((percent, index) => ({ wallet: addresses[index] ?? '', percent }))
  const before = await balances(sandbox, chain, receivers)
  const paymentId = await register(context, chain, receivers)
  say(`registered       ${paymentId}  100 BRL`)
  const created = await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: chain === 'polygon' ? wallets.evm.address : wallets.solana.address,
    chain_name: chain,
    payer_token_symbol: 'USDT',
  })
  const transaction = created['crypto_tx'] as BuiltTransaction
  say(`to be signed     ${transaction.meta.source}`)
  const executed = await call('POST', '/payment/execute/on-chain', {
    payment_id: paymentId,
    signed_transaction: await sign(wallets, chain, transaction),
  })
  say(`on the chain     ${String(executed['tid_hash'])}`)
  const events = await webhooks.untilEvent(paymentId, 'payment.success')
  say(`signed webhooks  ${events.map(({ type }) => type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  expect(status['status'] === 'success', `the payment is ${String(status['status'])}`)
  const after = await balances(sandbox, chain, receivers)
  const due = shares(String(status['amount_to']), receivers)
  for (const [index, { wallet, percent }] of receivers.entries()) {
    const received = (after[index] ?? 0n) - (before[index] ?? 0n)
    expect(received === due[index], `${wallet} received ${received}, but ${due[index] ?? 0n} were due`)
    say(`received         ${wallet}  ${usdtText(received)} USDT  (${percent} %)`)
  }
}

function register(context: DemoContext, chain: DemoChain, receivers: readonly Receiver[]): Promise<string> {
  const split = receivers.map(({ wallet, percent }) => ({ receiver_wallet: wallet, receiver_percent: percent }))
  return registerPayment(context, {
    to_chain: chain,
    payment_method_allowed: { crypto: true },
    split_payment_config: split,
  })
}

async function sign(
  { evm, solana }: SandboxDescription['wallets'],
  chain: DemoChain,
  { transactionRequest, serialized }: BuiltTransaction,
): Promise<string> {
  if (chain === 'polygon') return signRequest(privateKeyToAccount(evm.private_key), transactionRequest)
  const transaction = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
  transaction.sign([Keypair.fromSecretKey(Uint8Array.from(solana.secret_key))])
  return Buffer.from(transaction.serialize()).toString('base64')
}

function balances(sandbox: SandboxDescription, chain: DemoChain, receivers: readonly Receiver[]): Promise<bigint[]> {
  return Promise.all(receivers.map(({ wallet }) => usdtOf(sandbox, chain, wallet)))
}

/** What each is due, worked out here by itself: rounded down, and the first gets what remains. */
function shares(amountTo: string, receivers: readonly Receiver[]): bigint[] {
  const total = usdtUnits(amountTo)
  const parts = receivers.map(({ percent }) => (total * BigInt(percent)) / 100n)
  const rest = total - parts.reduce((sum, part) => sum + part, 0n)
  return parts.map((part, index) => (index === 0 ? part + rest : part))
}
