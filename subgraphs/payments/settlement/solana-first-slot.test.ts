import { Keypair } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { until } from '../../../test/harness/until.js'
import { paidPayment, presentOf } from '../fixtures/pix-payments.js'

/** 54.2 BRL are 10.000923 USDC. */
const TEN = { toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2' }

const harness = await startSolanaSettlementHarness()
const { solana, pool, pass } = harness

it('a process that begins while a node shows nonces from a slot that no chain has pays once that node is mended', async () => {
  Object.assign(pool, { inventedSlots: 5_000_000_000, isBehind: (method: string) => method === 'getMultipleAccounts' })
  await solana.solana.advance(1)
  const splitPaymentConfig = [{ receiverWallet: Keypair.generate().publicKey.toBase58(), receiverPercent: 100 }]
  const { payment } = await paidPayment(harness, { ...TEN, splitPaymentConfig })
  for (let second = 0; second < 8; second += 1) await pass(1)
  pool.isBehind = () => false
  await until('the payment succeeds', async () => {
    await pass(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})
