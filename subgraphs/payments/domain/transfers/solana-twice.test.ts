import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSolanaNodePool, type SolanaNodePool } from '../../../../chains/solana/testing/node-pool.js'
import { balanceOf, signWire } from '../../../../chains/solana/testing/side.js'
import { startSolanaWorld, type SolanaWorld } from '../../../../chains/solana/testing/world.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { startPaymentsWorld, type PaymentsWorld } from '../../fixtures/payments-world.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { until } from '../../fixtures/until.js'
import type { Payment } from '../../store/payment.entity.js'
import { createTransaction } from '../create-transaction.js'
import { executeOnChain } from './execute-on-chain.js'

let solana: SolanaWorld
let pool: SolanaNodePool
let world: PaymentsWorld
beforeAll(async () => {
  solana = await startSolanaWorld()
  pool = await startSolanaNodePool(solana.solana.rpcUrl)
  world = await startPaymentsWorld({ chain: { ...solana.chain, rpcUrl: pool.url } })
})
afterAll(async () => {
  await world.close()
  pool.stop()
  await solana.stop()
})

const created = (id: string) =>
  createTransaction(world.deps, world.tenant, {
    paymentId: id,
    transactionType: 'crypto',
    payerEmail: 'ana@example.com',
    payerWallet: solana.payer.publicKey.toBase58(),
    chainName: 'solana',
    payerTokenSymbol: 'USDC',
  })
const executed = async (payment: Payment) => {
  const built = payment.unsignedTransaction
  if (built?.family !== 'solana') throw new Error('nothing to sign')
  const signedTransaction = signWire(solana.payer, built.serialized)
  return executeOnChain(world.deps, world.tenant, { paymentId: payment.id, signedTransaction })
}

describe("a payer's transaction on Solana that all nodes have lost sight of", () => {
  it('is given up, and told to an operator once it turns up beside the one that paid instead', async () => {
    const receiver = Keypair.generate().publicKey.toBase58()
    const { id } = await checkoutPayment(world, {
      splitPaymentConfig: [{ receiverWallet: receiver, receiverPercent: 100 }],
      toChain: 'solana',
      toCurrencySymbol: 'USDC',
      amountFrom: '54.2',
    })
    pool.forgets = true
    pool.isBehind = (method) => ['getSignatureStatuses', 'getSignaturesForAddress', 'getTransaction'].includes(method)
    const first = executed(await created(id)).catch((error: unknown) => error)
    await until('it has landed', async () => (await balanceOf(solana, receiver)) > 0n)
    await solana.solana.advance(80)
    expect(await first).toMatchObject({ code: 'payment_failed' })
    expect(await presentOf(world, { id } as Payment)).toMatchObject({ dataError: { code: 'transaction_dropped' } })
    pool.isBehind = () => false
    expect(await executed(await created(id))).toMatchObject({ settled: true })
    expect(await world.deps.alerts.list()).toEqual([])
    await world.advance(301)
    await world.runJobs()
    expect(await world.deps.alerts.list()).toMatchObject([{ kind: 'paid_twice', subject: id }])
  })
})
