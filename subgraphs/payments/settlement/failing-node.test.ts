import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { paidPayment, presentOf } from '../fixtures/pix-payments.js'

const harness = await startSolanaSettlementHarness()
const { pool, deps } = harness

const newReceiver = (): string => Keypair.generate().publicKey.toBase58()
const toWallet = (receiverWallet: string) => ({
  splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }],
  toChain: 'solana',
  toCurrencySymbol: 'USDC',
  amountFrom: '54.2',
})
const stuck = async () => (await deps.alerts.list()).filter(({ kind }) => kind === 'payout_stuck')

describe('payouts whose node fails to try them, and says nothing of why', () => {
  it('are tried less and less often, an operator is told after a while, and they are paid once it answers', async () => {
    // Before the first payout an account creates what its transactions live by.
    const first = await paidPayment(harness, toWallet(newReceiver()))
    for (let tries = 0; tries < 10; tries += 1) await harness.pass(2)
    expect(await presentOf(harness, first.payment)).toMatchObject({ status: 'success' })
    const asked: number[] = []
    let seconds = 0
    pool.refuses = 'doubtful'
    pool.isBehind = (method) => {
      if (method === 'simulateTransaction') asked.push(seconds)
      return method === 'simulateTransaction'
    }
    const receiver = newReceiver()
    const { payment } = await paidPayment(harness, toWallet(receiver))
    for (; seconds < 240; seconds += 5) await harness.goOn(5)
    expect(asked.length).toBeGreaterThan(0)
    expect(await stuck()).toEqual([])
    for (; seconds < 900; seconds += 5) await harness.goOn(5)
    const late = new Set(asked.filter((at) => at >= 600))
    expect(late.size).toBeGreaterThan(2)
    expect(late.size).toBeLessThanOrEqual(6)
    expect(await stuck()).toMatchObject([
      {
        subject: 'solana',
        details: expect.stringMatching(/^payouts wait for \w+ since \d+ s: Internal error/) as string,
      },
    ])
    pool.refuses = false
    pool.isBehind = () => false
    for (let tries = 0; tries < 16; tries += 1) await harness.pass(5)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    expect(await balanceOf(harness.solana, receiver)).toBeGreaterThan(0n)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})
