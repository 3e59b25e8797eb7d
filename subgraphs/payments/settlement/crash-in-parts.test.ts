import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { crashingDeps, runMortal } from '../fixtures/crashing-deps.js'
import { balancesOf, paidCharges } from '../fixtures/left-out.js'
import { presentOf } from '../fixtures/pix-payments.js'
import { transactionsOf } from '../fixtures/rows.js'

/** Fifty payments are written down at once. */
const FIRST_PART = 50
const PAYMENTS = FIRST_PART + 3

describe('a batch whose payments are written down in parts', () => {
  it.each(['before', 'after'] as const)(
    'pays each once, and its books balance, where the worker dies %s the second of them',
    { timeout: 240_000 },
    async (side) => {
      const harness = await startSettlementHarness({ batches: true })
      const sentBefore = await harness.transactionCount()
      const charges = await paidCharges(harness, PAYMENTS)
      const { deps } = crashingDeps(harness.deps, { atStep: 'payments.changeMany#2', side })
      let death: string | undefined
      for (let second = 0; second < 10 && death === undefined; second += 1) {
        await harness.advance(1)
        death = await runMortal(harness, deps)
      }
      expect(death).toBe(`${side} payments.changeMany`)
      const ended = async (): Promise<number> => {
        const present = await Promise.all(charges.map(({ payment }) => presentOf(harness, payment)))
        return present.filter(({ status }) => status === 'success').length
      }
      expect(await ended()).toBe(side === 'before' ? FIRST_PART : PAYMENTS)
      await harness.goOn(5)
      expect(await ended()).toBe(PAYMENTS)
      expect(await balancesOf(harness, charges)).toEqual(charges.map(() => 10_000_000n))
      const hashes = await Promise.all(charges.map(({ payment }) => transactionsOf(harness, payment)))
      expect(new Set(hashes.flat().map(({ hash }) => hash)).size).toBe(1)
      expect(await harness.transactionCount()).toBe(sentBefore + 1)
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
  )
})
