import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { usdtOf, usdtUnits } from './balances.js'
import { expect, type Demo, type DemoWorld } from './demo.js'

/** A Solana wallet pays two receivers in one transaction. */
export const solanaDemos: readonly Demo[] = [{ title: 'A Solana wallet pays two receivers, 70/30', run: paySplit }]

async function paySplit({ sandbox, call, webhooks, say }: DemoWorld): Promise<void> {
  const [first, second] = sandbox.receivers.solana
  const balances = (): Promise<bigint[]> =>
    Promise.all([first, second].map((owner) => usdtOf(sandbox, 'solana', owner)))
  const before = await balances()
  const payment = await call('POST', '/payment/register/intents-create-order', {
    executor_id: 'api_transaction',
    tenant_data: { public_client_id: sandbox.public_client_id, webhook_url: webhooks.url },
    payment_method_allowed: { crypto: true },
    split_payment_config: [
      { receiver_wallet: first, receiver_percent: 70 },
      { receiver_wallet: second, receiver_percent: 30 },
    ],
    gateway_method: 'direct',
    from_currency_symbol: 'BRL',
    amount_from: '100',
    to_currency_symbol: 'USDT',
    to_chain: 'solana',
    on_ramp: false,
  })
  const paymentId = String(payment['payment_id'])
  say(`registered       ${paymentId}  100 BRL`)
  const created = await call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'crypto',
    payer_email: 'payer@example.com',
    payer_wallet: sandbox.wallets.solana.address,
    chain_name: 'solana',
    payer_token_symbol: 'USDT',
  })
  const { serialized } = created['crypto_tx'] as { serialized: string }
  const transaction = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
  transaction.sign([Keypair.fromSecretKey(Uint8Array.from(sandbox.wallets.solana.secret_key))])
  const executed = await call('POST', '/payment/execute/on-chain', {
    payment_id: paymentId,
    signed_transaction: Buffer.from(transaction.serialize()).toString('base64'),
  })
  say(`on the chain     ${String(executed['tid_hash'])}`)
  const events = await webhooks.untilEvent(paymentId, 'payment.success')
  say(`signed webhooks  ${events.map(({ type }) => type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  const total = usdtUnits(String(status['amount_to']))
  const smaller = (total * 30n) / 100n
  const due = [total - smaller, smaller]
  for (const [index, after] of (await balances()).entries()) {
    const received = after - (before[index] ?? 0n)
    expect(received === due[index], `receiver ${index + 1} got ${received}, but ${due[index] ?? 0n} were due`)
    say(`received         ${sandbox.receivers.solana[index] ?? ''}  ${received} base units`)
  }
}
