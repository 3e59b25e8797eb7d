import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { EvmTransactionRequest } from '../../chains/evm/build-call.js'
import { usdtOf, usdtText, usdtUnits } from './balances.js'
import { expect, type Demo, type DemoWorld } from './demo.js'
import { registerPayment } from './orders.js'

interface Receiver {
  wallet: Address
  percent: number
}

interface EvmTransaction {
  transactionRequest: EvmTransactionRequest
  meta: { source: string }
}

/** A wallet pays on polygon: once to one receiver, once to two that share 70/30. */
export const cryptoDemos: readonly Demo[] = [
  {
    title: 'A wallet pays one receiver',
    run: (world) => pay(world, [{ wallet: world.sandbox.receivers.evm[0], percent: 100 }]),
  },
  {
    title: 'A wallet pays two receivers, 70/30',
    run: (world) =>
      pay(world, [
        { wallet: world.sandbox.receivers.evm[0], percent: 70 },
        { wallet: world.sandbox.receivers.evm[1], percent: 30 },
      ]),
  },
]

async function pay(world: DemoWorld, receivers: readonly Receiver[]): Promise<void> {
  const { call, webhooks, say } = world
  const before = await balances(world, receivers)
  const paymentId = await register(world, receivers)
  say(`registered       ${paymentId}  100 BRL`)
  const { wallets } = world.sandbox
  const created = await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: wallets.evm.address,
    chain_name: 'polygon',
    payer_token_symbol: 'USDT',
  })
  const transaction = created['crypto_tx'] as EvmTransaction
  say(`to be signed     ${transaction.meta.source} to ${transaction.transactionRequest.to}`)
  const executed = await call('POST', '/payment/execute/on-chain', {
    payment_id: paymentId,
    signed_transaction: await sign(world, transaction),
  })
  say(`on the chain     ${String(executed['tid_hash'])}`)
  const events = await webhooks.untilEvent(paymentId, 'payment.success')
  say(`signed webhooks  ${events.map(({ type }) => type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  expect(status['status'] === 'success', `the payment is ${String(status['status'])}`)
  const after = await balances(world, receivers)
  const due = shares(String(status['amount_to']), receivers)
  for (const [index, { wallet, percent }] of receivers.entries()) {
    const received = (after[index] ?? 0n) - (before[index] ?? 0n)
    expect(received === due[index], `${wallet} received ${received}, but ${due[index] ?? 0n} were due`)
    say(`received         ${wallet}  ${usdtText(received)} USDT  (${percent} %)`)
  }
}

function register(world: DemoWorld, receivers: readonly Receiver[]): Promise<string> {
  const split = receivers.map(({ wallet, percent }) => ({ receiver_wallet: wallet, receiver_percent: percent }))
  return registerPayment(world, { payment_method_allowed: { crypto: true }, split_payment_config: split })
}

async function sign({ sandbox }: DemoWorld, { transactionRequest }: EvmTransaction): Promise<Hex> {
  const { to, data, value, nonce, chainId, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transactionRequest
  return privateKeyToAccount(sandbox.wallets.evm.private_key).signTransaction({
    type: 'eip1559',
    to,
    data,
    nonce,
    chainId,
    value: BigInt(value),
    gas: BigInt(gasLimit),
    maxFeePerGas: BigInt(maxFeePerGas),
    maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
  })
}

function balances({ sandbox }: DemoWorld, receivers: readonly Receiver[]): Promise<bigint[]> {
  return Promise.all(receivers.map(({ wallet }) => usdtOf(sandbox, 'polygon', wallet)))
}

/** What each is due, worked out here by itself: rounded down, and the first gets what remains. */
function shares(amountTo: string, receivers: readonly Receiver[]): bigint[] {
  const total = usdtUnits(amountTo)
  const parts = receivers.map(({ percent }) => (total * BigInt(percent)) / 100n)
  const rest = total - parts.reduce((sum, part) => sum + part, 0n)
  return parts.map((part, index) => (index === 0 ? part + rest : part))
}
