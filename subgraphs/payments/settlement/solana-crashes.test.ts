import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../chaos/random.js'
import { toBaseUnits } from '../../../kernel/money.js'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf } from '../../../test/harness/solana-side.js'
import { crashingDeps, plansAt, runMortal, type CrashPlan } from '../fixtures/crashing-deps.js'
import { chargedPayment, payCharge, untilEnded } from '../fixtures/pix-payments.js'

const SEED = 20_261_127
/** Deaths in a row before a process is allowed to live. */
const DEATHS_MAX = 3
const STEPS_MAX = 25
const PERCENTS = [[100], [50, 50], [50, 25, 25]] as const
/** Where a death hurts most: each run dies at one of them for certain, and then wherever chance wants it. */
const WHERE_IT_HURTS = plansAt(
  'payments.changeMany',
  'ledger.bookAll',
  'payouts.claim',
  'payouts.markSent',
  'payouts.endBatch',
  'chain.prepare',
  'chain.send',
  'chain.retrieve',
)

const harness = await startSolanaSettlementHarness()
const { solana } = harness
const random = randomOf(SEED)

function plansFrom(certain: CrashPlan): CrashPlan[] {
  const others = Array.from({ length: DEATHS_MAX - 1 }, (): CrashPlan => {
    const side = random() < 0.5 ? 'before' : 'after'
    return { atStep: Math.floor(random() * STEPS_MAX), side }
  })
  return [certain, ...others]
}

/** A payment whose charge is paid, settled by processes that die as is planned. @returns what they died of */
async function settleWithDeaths(plans: readonly CrashPlan[]): Promise<string[]> {
  const percents = PERCENTS[Math.floor(random() * PERCENTS.length)] ?? [100]
  const splitPaymentConfig = percents.map((receiverPercent) => ({
    receiverWallet: Keypair.generate().publicKey.toBase58(),
    receiverPercent,
  }))
  const terms = { toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2', splitPaymentConfig }
  const { payment, txid } = await chargedPayment(harness, terms)
  await payCharge(harness, txid)
  const deaths: string[] = []
  for (const plan of plans) {
    // A nonce cannot be used in the block that gave it.
    await solana.solana.advance(1)
    await harness.advance(1)
    const death = await runMortal(harness, crashingDeps(harness.deps, plan).deps)
    if (death !== undefined) deaths.push(death)
  }
  const ended = await untilEnded(harness, payment, () => solana.solana.advance(1))
  expect(ended).toMatchObject({ status: 'success', amountTo: '10.000923' })
  const payouts = await harness.deps.payouts.findAll(payment)
  const owed = payouts.map(({ amount }) => toBaseUnits(amount, 6))
  expect(owed.reduce((sum, units) => sum + units, 0n)).toBe(10_000_923n)
  for (const [index, { receiver }] of payouts.entries()) expect(await balanceOf(solana, receiver)).toBe(owed[index])
  return deaths
}

describe('a settlement on Solana whose worker dies', () => {
  it('pays every receiver once, and its books balance, wherever it was', { timeout: 240_000 }, async () => {
    // The first run ever creates a nonce, and sends nothing before the next block: no step after that would be reached.
    await settleWithDeaths([])
    const died: string[] = []
    for (const certain of WHERE_IT_HURTS) died.push(...(await settleWithDeaths(plansFrom(certain))))
    expect(died).toEqual(expect.arrayContaining(WHERE_IT_HURTS.map(({ atStep, side }) => `${side} ${atStep}`)))
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    const twice = await harness.query(
      `select payment_id, leg from payments.batch_leg where outcome = 'paid' group by 1, 2 having count(*) > 1`,
    )
    expect(twice).toEqual([])
  })
})
