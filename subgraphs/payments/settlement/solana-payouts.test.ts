import { Keypair } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../../../chains/solana/testing/side.js'
import { startSolanaWorld, type SolanaWorld } from '../../../chains/solana/testing/world.js'
import { chargedPayment, payAndProcess, presentOf } from '../fixtures/pix-payments.js'
import { startPaymentsWorld, type PaymentsWorld } from '../fixtures/payments-world.js'
import { until } from '../fixtures/until.js'
import type { Payment } from '../store/payment.entity.js'

let solana: SolanaWorld
let world: PaymentsWorld
beforeAll(async () => {
  solana = await startSolanaWorld()
  world = await startPaymentsWorld({ chain: solana.chain, treasurySolanaKey: solana.treasury.secretKey })
})
afterAll(async () => {
  await world.close()
  await solana.stop()
})

const newReceiver = (): string => Keypair.generate().publicKey.toBase58()
const settled = (payment: Payment) =>
  until('the payment succeeds', async () => {
    await world.runJobs()
    return (await presentOf(world, payment)).status === 'success'
  })

describe('settlement on Solana', () => {
  it('pays each receiver once, also one that is named twice', async () => {
    const [first, second] = [newReceiver(), newReceiver()]
    const splitPaymentConfig = [
      { receiverWallet: first, receiverPercent: 40 },
      { receiverWallet: second, receiverPercent: 20 },
      { receiverWallet: first, receiverPercent: 40 },
    ]
    const { payment, txid } = await chargedPayment(world, {
      splitPaymentConfig,
      toChain: 'solana',
      toCurrencySymbol: 'USDC',
      amountFrom: '54.195',
    })
    await payAndProcess(world, txid)
    await settled(payment)
    const present = await presentOf(world, payment)
    expect(present).toMatchObject({
      tidHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) as string,
      globalPaymentData: { crypto_payment_details: { chain_name: 'solana', receiver_wallet: first } },
    })
    const total = Math.round(Number(present.amountTo) * 1e6)
    const held = [await balanceOf(solana, first), await balanceOf(solana, second)]
    expect(held.reduce((sum, units) => sum + Number(units), 0)).toBe(total)
    const legs = await world.deps.payouts.findAll(payment)
    expect(legs.map(({ state }) => state)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(await world.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
