import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from 'viem'
import { Crash, crashingDeps, seededRandom } from '../fixtures/crashing-deps.js'
import { runDueJobs } from '../fixtures/job-runner.js'
import { chargedPayment, presentOf, untilToldOf } from '../fixtures/pix-payments.js'
import { startSettlementWorld, type SettlementWorld } from '../fixtures/settlement-world.js'
import { paymentJobs } from '../jobs.js'

const SEED = 20_261_120
const RUNS = 200
/** Deaths in a row before a process is allowed to live. */
const DEATHS_MAX = 3

let world: SettlementWorld
beforeAll(async () => {
  world = await startSettlementWorld()
})
afterAll(() => world.close())

describe('a settlement whose worker dies', () => {
  it(
    `pays every confirmed charge out exactly once, and its ledger balances, in ${RUNS} random runs`,
    { timeout: 240_000 },
    async () => {
      const random = seededRandom(SEED)
      const died = new Map<string, number>()
      const owed = new Map<Address, bigint>()
      for (let run = 0; run < RUNS; run += 1) {
        const receivers = 1 + Math.floor(random() * 3)
        await settleWithDeaths(receivers, random, died, owed)
      }
      for (const [receiver, units] of owed) expect(await world.balanceOf(receiver)).toBe(units)
      expect(await world.deps.ledger.findDiscrepancies()).toEqual([])
      const [{ count: sent } = {}] = await world.query(
        `select count(*)::int as count from payments.treasury_transaction where state = 'confirmed'`,
      )
      // Not one transaction more on chain than receivers that are owed something.
      expect(await world.transactionCount()).toBe(owed.size)
      expect(sent).toBe(owed.size)
      // The deaths were where it hurts, not only at the edges.
      const steps = ['payments.change', 'ledger.book', 'payouts.claim', 'payouts.markSent', 'chain.send', 'addJobNow']
      expect(steps.filter((step) => !died.has(`before ${step}`) || !died.has(`after ${step}`))).toEqual([])
    },
  )
})

async function settleWithDeaths(
  receivers: number,
  random: () => number,
  died: Map<string, number>,
  owed: Map<Address, bigint>,
): Promise<void> {
  const percents = receivers === 1 ? [100] : receivers === 2 ? [50, 50] : [50, 25, 25]
  const splitPaymentConfig = percents.map((receiverPercent) => ({
    receiverWallet: world.newReceiver(),
    receiverPercent,
  }))
  // 54.2 BRL are 10 USDT.
  const { payment, txid } = await chargedPayment(world, { splitPaymentConfig, amountFrom: '54.2' })
  const { endToEndId } = await world.pixControl(`/cob/${txid}/pay`)
  await untilToldOf(world, String(endToEndId))
  for (let deaths = 0; deaths < DEATHS_MAX; deaths += 1) {
    const side = random() < 0.5 ? 'before' : 'after'
    const mortal = crashingDeps(world.deps, { atStep: Math.floor(random() * 25), side })
    const isCrash = (error: unknown): boolean => error instanceof Crash
    const lived = await runDueJobs(world.db.pool, paymentJobs(mortal.deps), { isCrash }).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof Crash)) throw error
        died.set(error.message, (died.get(error.message) ?? 0) + 1)
        return false
      },
    )
    if (lived) break
  }
  for (const { receiverWallet, receiverPercent } of splitPaymentConfig) {
    owed.set(receiverWallet, (10_000_000n * BigInt(receiverPercent)) / 100n)
  }
  await world.advance(1)
  await world.runJobs()
  expect(await presentOf(world, payment)).toMatchObject({ status: 'success', amountTo: '10' })
}
