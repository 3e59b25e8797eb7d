import { describe, expect, it } from 'vitest'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { crashingDeps, runMortal } from '../fixtures/crashing-deps.js'
import { balancesOf, dropBlockOf, leaveOneOut, paidCharges, type PaidCharge } from '../fixtures/left-out.js'
import { presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { bookedFees, transactionsOf } from '../fixtures/rows.js'
import { runLedgerWorking } from '../fixtures/run-ledger.js'
import type { Payment } from '../store/payment.entity.js'
import { releasePayouts } from './release-payouts.js'

const FINALITY_BLOCKS = 4
/** Answers every call with true, moves nothing and tells nothing. */
const SILENT: Hex = '0x600160005260206000f3'

const harness = await startSettlementHarness({ batches: true, finalityBlocks: FINALITY_BLOCKS })

const makeFinal = async () => {
  await harness.anvil.mine({ blocks: FINALITY_BLOCKS + 1 })
  await harness.goOn(6)
}
const payoutsOf = (payment: Payment) => harness.deps.payouts.findAll(payment)
const kindsOf = async (id: string) =>
  (await harness.deps.alerts.list()).filter(({ subject }) => subject === id).map(({ kind }) => kind)
const othersThan = (late: Payment, charges: readonly PaidCharge[]) =>
  charges.map(({ payment }) => payment).filter(({ id }) => id !== late.id)
const balanceOf = async (charges: readonly PaidCharge[], { id }: Payment) =>
  (await balancesOf(harness, charges))[charges.findIndex(({ payment }) => payment.id === id)]

/** Something else of the treasury's that has the nonce of these. */
async function foreignFor([first]: readonly PaidCharge[]): Promise<Hex> {
  const [sent] = first ? await transactionsOf(harness, first.payment) : []
  return privateKeyToAccount(harness.treasuryKey).signTransaction({
    type: 'eip1559',
    chainId: harness.chain.chainId,
    nonce: Number(sent?.['nonce']),
    to: harness.newReceiver(),
    value: 1n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  })
}

/** Has the batch land again while the token has other code. */
async function landAgainWith(bytecode: Hex, held: bigint): Promise<void> {
  const address = harness.chain.tokens['USDT']?.address ?? '0x'
  const code = (await harness.anvil.getCode({ address })) ?? '0x'
  await harness.anvil.setCode({ address, bytecode })
  await harness.goOn(6)
  await harness.anvil.setCode({ address, bytecode: code })
  await harness.setTreasuryUnits(held)
}

/** Works on in a process that dies when all legs are written down, and the transaction is not. */
const dieBeforeEnd = async () => {
  await harness.advance(1)
  const { deps } = crashingDeps(harness.deps, { atStep: 'payouts.endBatch', side: 'before' })
  expect(await runMortal(harness, deps)).toBe('before payouts.endBatch')
}

async function expectPaidByRelease(charges: readonly PaidCharge[], late: Payment): Promise<void> {
  expect(await releasePayouts(harness.db, harness.clock, late.id)).toBe(1)
  expect(await untilEnded(harness, late)).toMatchObject({ status: 'success' })
  expect(await balanceOf(charges, late)).toBe(10_000_000n)
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
}

describe('whom a batch has left out, and whose block the chain drops', { timeout: 60_000 }, () => {
  it('is held where something else has the nonce for good, and is paid where an operator releases him', async () => {
    const { charges, late, held } = await leaveOneOut(harness)
    await dropBlockOf(harness, charges, [[await foreignFor(charges), 0]])
    await harness.setTreasuryUnits(held)
    await makeFinal()
    expect(await payoutsOf(late)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
    expect(await kindsOf(late.id)).toContain('payout_held')
    for (const { id } of othersThan(late, charges)) expect(await kindsOf(id)).toContain('payment_undone')
    await expectPaidByRelease(charges, late)
  })

  it('gets another transaction where the batch reverts for good, and the gas is that of the block that has it', async () => {
    const { charges, late, held } = await leaveOneOut(harness)
    await dropBlockOf(harness, charges)
    await landAgainWith('0x', held)
    await makeFinal()
    for (const { id } of othersThan(late, charges)) expect(await kindsOf(id)).toContain('payment_undone')
    await harness.goOn(61)
    expect(await untilEnded(harness, late)).toMatchObject({ status: 'success' })
    expect(await balanceOf(charges, late)).toBe(10_000_000n)
    const versions = await transactionsOf(harness, late)
    const receipts = await Promise.all(
      versions.map(({ hash }) => harness.anvil.getTransactionReceipt({ hash: hash as Hex })),
    )
    const taken = receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)
    const payments = charges.map(({ payment }) => payment)
    expect(await bookedFees(harness, payments)).toBe(String(taken))
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is held where the block that has it then shows neither', async () => {
    const { charges, late, held } = await leaveOneOut(harness)
    await dropBlockOf(harness, charges)
    await landAgainWith(SILENT, held)
    await makeFinal()
    await harness.goOn(61)
    expect(await payoutsOf(late)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
    expect(await kindsOf(late.id)).toContain('payout_held')
    await expectPaidByRelease(charges, late)
  })
})

describe('whom a batch has left out, and whose worker dies before it has ended the batch', { timeout: 60_000 }, () => {
  it('is paid once where another block pays him', async () => {
    const { charges, late, held } = await leaveOneOut(harness, { settle: dieBeforeEnd })
    await dropBlockOf(harness, charges)
    await harness.setTreasuryUnits(held)
    await harness.goOn(6)
    expect(await presentOf(harness, late)).toMatchObject({ status: 'success' })
    await makeFinal()
    await harness.goOn(61)
    expect(await balancesOf(harness, charges)).toEqual([10_000_000n, 10_000_000n, 10_000_000n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is not forgotten where the batch reverts in another block, or loses its nonce', async () => {
    const reverting = await leaveOneOut(harness, { settle: dieBeforeEnd })
    await dropBlockOf(harness, reverting.charges)
    await landAgainWith('0x', reverting.held)
    await makeFinal()
    await harness.goOn(61)
    expect(await untilEnded(harness, reverting.late)).toMatchObject({ status: 'success' })
    for (const { id } of othersThan(reverting.late, reverting.charges))
      expect(await kindsOf(id)).toContain('payment_undone')
    const losing = await leaveOneOut(harness, { settle: dieBeforeEnd })
    await dropBlockOf(harness, losing.charges, [[await foreignFor(losing.charges), 0]])
    await harness.setTreasuryUnits(losing.held)
    await makeFinal()
    expect(await payoutsOf(losing.late)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
    for (const { id } of othersThan(losing.late, losing.charges)) expect(await kindsOf(id)).toContain('payment_undone')
    await expectPaidByRelease(losing.charges, losing.late)
  })

  it('is told to an operator where the first block had paid him', async () => {
    const charges = await paidCharges(harness, 3)
    await dieBeforeEnd()
    expect(new Set(await balancesOf(harness, charges))).toEqual(new Set([10_000_000n]))
    await dropBlockOf(harness, charges)
    const held = await harness.setTreasuryUnits(20_000_000n)
    await harness.goOn(6)
    await harness.setTreasuryUnits(held)
    const left = charges[(await balancesOf(harness, charges)).indexOf(0n)]?.payment as Payment
    expect(await kindsOf(left.id)).toContain('payment_undone')
  })
})

describe('whom a batch has left out that an operator had cancelled', { timeout: 60_000 }, () => {
  it('is held once its block is final, and is paid where an operator releases him', async () => {
    const cancel = async ([first]: readonly PaidCharge[]) => {
      if (!first) return
      const [sent] = await transactionsOf(harness, first.payment)
      await runLedgerWorking(harness, 'cancel', String(sent?.['batch_id']), '--reason', 'a wrong price')
      const [original, empty] = await transactionsOf(harness, first.payment)
      // A node that knows no other takes the first one all the same.
      await harness.anvil.dropTransaction({ hash: empty?.['hash'] as Hex })
      await harness.anvil.sendRawTransaction({ serializedTransaction: original?.['raw'] as Hex })
    }
    const { charges, late } = await leaveOneOut(harness, { before: cancel })
    await makeFinal()
    await harness.goOn(61)
    expect(await payoutsOf(late)).toMatchObject([{ state: 'held', holdReason: 'cancelled' }])
    const [sent] = await transactionsOf(harness, late)
    expect(await kindsOf(String(sent?.['batch_id']))).toEqual(['payout_held'])
    await expectPaidByRelease(charges, late)
  })
})
