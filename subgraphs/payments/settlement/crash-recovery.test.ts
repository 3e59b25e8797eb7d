import { describe, expect, it } from 'vitest'
import { encodeFunctionData, parseEther, parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { randomOf } from '../../../chaos/random.js'
import { crashingDeps, plansAt, runMortal, type CrashPlan } from '../fixtures/crashing-deps.js'
import { chargedPayment, payCharge, untilEnded } from '../fixtures/pix-payments.js'
import { sandboxTokenAbi } from '../../../sandbox/anvil/seed.js'
import { MINTER } from '../../../test/harness/evm-side.js'
import { act } from '../../../test/harness/evm.js'
import { startSettlementHarness, type SettlementHarness } from '../../../test/harness/settlement.js'

const SEED = 20_261_120
const RUNS = 24
/** Deaths in a row before a process is allowed to live. */
const DEATHS_MAX = 3
/** Where a death hurts most: the first runs die there for certain, the others wherever chance wants it. */
const WHERE_IT_HURTS = plansAt(
  'payments.change',
  'payments.changeMany',
  'ledger.book',
  'ledger.bookAll',
  'payouts.claim',
  'payouts.markSent',
  'payouts.endBatch',
  'chain.send',
)

const WAYS = [
  { way: 'one by one', batches: false, areTwo: false },
  { way: 'in batches', batches: true, areTwo: false },
  { way: 'by two accounts', batches: false, areTwo: true },
]

/** Two accounts that are funded, each of which pays one at a time, so that both pay. */
async function startTwoAccounts(): Promise<SettlementHarness> {
  const otherKey = generatePrivateKey()
  const other = privateKeyToAddress(otherKey)
  const harness = await startSettlementHarness({ moreTreasuryKeys: [otherKey] })
  const { anvil, chain, deps } = harness
  await anvil.setBalance({ address: other, value: parseEther('100') })
  const args = [other, parseUnits('100000', 6)] as const
  const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'mint', args })
  await act(harness, { from: MINTER, to: chain.tokens['USDT']?.address as Address, data })
  deps.payoutChains.evm = (deps.payoutChains.evm ?? []).map((port) => ({ ...port, unminedMax: 1 }))
  const transactionCount = async () =>
    (await harness.transactionCount()) + (await anvil.getTransactionCount({ address: other }))
  return { ...harness, transactionCount }
}

describe('a settlement whose worker dies', () => {
  it.each(WAYS)(
    `pays every confirmed charge out exactly once, $way, and its ledger balances, in ${RUNS} random runs`,
    { timeout: 240_000 },
    async ({ batches, areTwo }) => {
      const harness = await (areTwo ? startTwoAccounts() : startSettlementHarness({ batches }))
      const before = await harness.transactionCount()
      const random = randomOf(SEED)
      const died = new Set<string>()
      const owed = new Map<Address, bigint>()
      for (let run = 0; run < RUNS; run += 1) {
        const receivers = 1 + Math.floor(random() * 3)
        await settleWithDeaths(harness, receivers, deathPlans(run, random), died, owed)
      }
      for (const [receiver, units] of owed) expect(await harness.balanceOf(receiver)).toBe(units)
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
      const [{ count: sent } = {}] = await harness.query(
        `select count(*)::int as count from payments.treasury_transaction where state = 'confirmed'`,
      )
      // Not one transaction more on chain than receivers that are owed something, or payments where they go together.
      const expected = batches ? RUNS : owed.size
      expect(await harness.transactionCount()).toBe(before + expected)
      expect(sent).toBe(expected)
      const accounts = await harness.query('select distinct account from payments.treasury_transaction')
      expect(accounts).toHaveLength(areTwo ? 2 : 1)
      expect([...died]).toEqual(expect.arrayContaining(WHERE_IT_HURTS.map(({ atStep, side }) => `${side} ${atStep}`)))
    },
  )
})

function deathPlans(run: number, random: () => number): CrashPlan[] {
  const plans = Array.from({ length: DEATHS_MAX }, (): CrashPlan => {
    const side = random() < 0.5 ? 'before' : 'after'
    return { atStep: Math.floor(random() * 25), side }
  })
  const certain = WHERE_IT_HURTS[run]
  return certain ? [certain, ...plans.slice(1)] : plans
}

async function settleWithDeaths(
  harness: SettlementHarness,
  receivers: number,
  plans: readonly CrashPlan[],
  died: Set<string>,
  owed: Map<Address, bigint>,
): Promise<void> {
  const percents = receivers === 1 ? [100] : receivers === 2 ? [50, 50] : [50, 25, 25]
  const splitPaymentConfig = percents.map((receiverPercent) => ({
    receiverWallet: harness.newReceiver(),
    receiverPercent,
  }))
  // 54.2 BRL are 10 USDT.
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '54.2' })
  await payCharge(harness, txid)
  for (const plan of plans) {
    const death = await runMortal(harness, crashingDeps(harness.deps, plan).deps)
    if (death === undefined) break
    died.add(death)
  }
  for (const { receiverWallet, receiverPercent } of splitPaymentConfig) {
    owed.set(receiverWallet, (10_000_000n * BigInt(receiverPercent)) / 100n)
  }
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success', amountTo: '10' })
}
