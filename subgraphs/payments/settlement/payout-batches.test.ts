import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { balancesOf, dropBlockOf, leaveOneOut, paidCharges } from '../fixtures/left-out.js'
import { presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { bookedFees } from '../fixtures/rows.js'
import type { Payment } from '../store/payment.entity.js'

const FINALITY_BLOCKS = 4

const unprepared = await startSettlementHarness()
const harness = await startSettlementHarness({ batches: true, finalityBlocks: FINALITY_BLOCKS })

const resourceIdOf = ({ resourceId }: { resourceId: string }): string => resourceId
/** In wei: what the ledger says that payments cost, and what the chain took for their transactions. */
async function feesOf(payments: readonly Payment[]): Promise<{ booked: string; taken: string }> {
  const paid = await Promise.all(payments.map((payment) => harness.deps.payouts.findAll(payment)))
  const hashes = new Set(paid.flat().map(({ hash }) => hash as Hex))
  const receipts = await Promise.all([...hashes].map((hash) => harness.anvil.getTransactionReceipt({ hash })))
  const taken = receipts.reduce((sum, receipt) => sum + receipt.gasUsed * receipt.effectiveGasPrice, 0n)
  return { booked: await bookedFees(harness, payments), taken: String(taken) }
}

describe('payouts that wait together', () => {
  it('go as one transaction, each receiver paid once, and each payment bears its part of the gas', async () => {
    const before = await harness.transactionCount()
    const charges = await paidCharges(harness, 5)
    await harness.runJobs()
    for (const { payment } of charges) {
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    }
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    expect(await harness.transactionCount()).toBe(before + 1)
    const { booked, taken } = await feesOf(charges.map(({ payment }) => payment))
    expect(booked).toBe(taken)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    // Their events are handed on together.
    const told = await harness.query(
      `select payload from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task
        on task.id = job.task_id where task.identifier = 'publish-events'`,
    )
    const ids = told.map(({ payload }) => (payload as { events: { resourceId: string }[] }).events.map(resourceIdOf))
    expect(ids.map((of) => of.toSorted())).toEqual([charges.map(({ payment }) => payment.id).toSorted()])
  })

  const makeFinal = async () => {
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS + 1 })
    await harness.goOn(6)
  }

  it('are paid but for the one that the token refuses, who is paid later and alone holds up nobody', async () => {
    const { charges, late } = await leaveOneOut(harness)
    expect((await harness.deps.alerts.list()).map(({ kind, subject }) => [kind, subject])).toContainEqual([
      'payout_failed',
      late.id,
    ])
    // On another branch the same transaction may pay him still.
    await harness.goOn(61)
    expect((await presentOf(harness, late)).status).toBe('pending')
    await harness.deps.alerts.closeGone()
    const told = (await harness.deps.alerts.list()).filter(({ subject }) => subject === late.id)
    expect(told).toMatchObject([{ kind: 'payout_failed', details: expect.stringContaining('by hand') as string }])
    await makeFinal()
    await harness.goOn(61)
    expect(await untilEnded(harness, late)).toMatchObject({ status: 'success' })
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pay whom they left out once, where they do it on another branch after all', async () => {
    const { charges, late, held } = await leaveOneOut(harness)
    await harness.goOn(61)
    await dropBlockOf(harness, charges)
    // The node takes the block before for what it was just before the dropped one.
    await harness.setTreasuryUnits(held)
    await harness.goOn(6)
    await makeFinal()
    expect(await untilEnded(harness, late)).toMatchObject({ status: 'success' })
    await makeFinal()
    await harness.goOn(61)
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    expect((await harness.deps.alerts.list()).map(({ kind }) => kind)).not.toContain('paid_twice')
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('are sent again together when their block is dropped, and bear the gas of the block that holds them then', async () => {
    const charges = await paidCharges(harness, 4)
    await harness.runJobs()
    for (const { payment } of charges) {
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    }
    await dropBlockOf(harness, charges)
    await harness.anvil.setNextBlockBaseFeePerGas({ baseFeePerGas: 777_777_777n })
    await harness.goOn(6)
    await harness.anvil.mine({ blocks: FINALITY_BLOCKS + 1 })
    await harness.goOn(6)
    await harness.goOn(6)
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    const { booked, taken } = await feesOf(charges.map(({ payment }) => payment))
    expect(booked).toBe(taken)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('prepare the treasury for batches themselves, once enough of them wait', { timeout: 60_000 }, async () => {
    const of = (account: Hex) => unprepared.balanceOf(account)
    const coins = () => unprepared.anvil.getBalance({ address: unprepared.treasury })
    const charges = await paidCharges(unprepared, 22)
    const before = await coins()
    await unprepared.runJobs()
    for (const { payment } of charges) {
      expect(await untilEnded(unprepared, payment)).toMatchObject({ status: 'success' })
    }
    expect(new Set(await Promise.all(charges.map(({ receiver }) => of(receiver))))).toEqual(new Set([10_000_000n]))
    // Two that prepare, and fewer than 22 that pay.
    expect(await unprepared.transactionCount()).toBeLessThan(22)
    const [row] = await unprepared.query(
      `select count(*)::int as count from payments.treasury_transaction as transaction where not exists
        (select from payments.batch_leg as leg where leg.batch_id = transaction.batch_id)`,
    )
    expect(row).toEqual({ count: 2 })
    expect(await unprepared.deps.ledger.findDiscrepancies()).toEqual([])
    // What preparing the account has cost belongs to no payment, and is in the books all the same.
    const [gas] = await unprepared.query(
      `select trim_scale(sum(credit - debit) * 1e18)::text as wei from payments.ledger_line
        where account = 'treasury:polygon' and entry like 'fee:%'`,
    )
    expect(gas?.['wei']).toBe(String(before - (await coins())))
  })
})
