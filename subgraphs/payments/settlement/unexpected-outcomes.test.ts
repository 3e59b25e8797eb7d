import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { operatorOf } from '../../../kernel/subgraph.js'
import { operatorContext } from '../../../test/harness/operator.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { act } from '../../../test/harness/evm.js'
import { outcomeOf } from '../../../test/harness/refusal.js'
import { ledger, runLedger, runLedgerWorking } from '../fixtures/run-ledger.js'
import { crashingDeps, runMortal, type CrashPlan } from '../fixtures/crashing-deps.js'
import { decideOnPayout } from '../domain/operators/decide-on-payout.js'
import { untilToldOf, chargedPayment, payCharge, presentOf } from '../fixtures/pix-payments.js'
import { fundRefunds, orderRefund, untilRefunded } from '../fixtures/refunds.js'
import type { Payment } from '../store/payment.entity.js'

const FINALITY_BLOCKS = 4
/** Answers every call with true, moves nothing and tells nothing. */
const SILENT: Hex = '0x600160005260206000f3'

const harness = await startSettlementHarness({ batches: true, finalityBlocks: FINALITY_BLOCKS })

interface Charge {
  payment: Payment
  receiver: Hex
  endToEndId: string
}
interface Listed {
  id: string
  hash: Hex
  nonce: number
  state: string
  holdsPayouts: boolean
}

/** Charges whose payouts are in one transaction that no block has taken. 54.2 BRL are 10 USDT. */
async function sentTogether(count: number): Promise<{ charges: Charge[]; sent: Listed }> {
  const charges: Charge[] = []
  for (let index = 0; index < count; index += 1) {
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, amountFrom: '54.2' })
    const endToEndId = await payCharge(harness, txid)
    charges.push({ payment, receiver, endToEndId })
  }
  await harness.anvil.setAutomine(false)
  await harness.runJobs()
  const [sent] = await listed()
  if (!sent) throw new Error('nothing was sent')
  return { charges, sent }
}

/** A decision, while workers work. */
async function decide(...args: string[]): Promise<{ code: number; result: unknown }> {
  const { code, text } = await runLedgerWorking(harness, ...args)
  return { code, result: code === 2 ? text.split('\n')[0] : (JSON.parse(text) as { result: unknown }).result }
}

const listed = async () => JSON.parse((await ledger(harness, 'transactions')).text) as Listed[]
const statuses = (charges: readonly Charge[]) =>
  Promise.all(charges.map(async ({ payment }) => (await presentOf(harness, payment)).status))
const balances = (charges: readonly Charge[]) => Promise.all(charges.map(({ receiver }) => harness.balanceOf(receiver)))
const alertsOf = async (id: string) => (await harness.deps.alerts.list()).filter(({ subject }) => subject === id)
const mine = async (blocks: number) => {
  await harness.anvil.mine({ blocks })
  await harness.anvil.setAutomine(true)
  await harness.goOn(1)
}

/** Somebody else with the key sends another transaction with the same nonce. */
async function takeNonce({ hash }: Listed): Promise<void> {
  await harness.anvil.dropTransaction({ hash })
  await harness.anvil.setAutomine(true)
  await act(harness, { from: harness.treasury, to: harness.newReceiver(), value: 1n, data: '0x' })
}

describe('a transaction of the treasury whose nonce somebody else has used', { timeout: 90_000 }, () => {
  it('is told once for all its payments, holds up nobody, and is paid anew only when it can never land', async () => {
    const { charges, sent } = await sentTogether(3)
    await takeNonce(sent)
    await harness.goOn(3)
    await harness.goOn(60)
    // One block is not final yet: on another branch the first may still land.
    expect(await decide('retry', sent.id)).toEqual({ code: 1, result: 'it may still land: cancel it first' })
    expect(await decide('cancel', sent.id)).toMatchObject({ code: 1 })
    await mine(FINALITY_BLOCKS)
    await harness.goOn(60)
    expect(await listed()).toMatchObject([{ id: sent.id, state: 'unexpected', holdsPayouts: true }])
    expect(await alertsOf(sent.id)).toMatchObject([{ kind: 'payout_unexpected', count: 1 }])
    const other = await sentTogether(1)
    await mine(1)
    expect(await statuses(other.charges)).toEqual(['success'])
    expect(await statuses(charges)).toEqual(['pending', 'pending', 'pending'])
    // Above the set sum two operators decide; what they order is what the command line orders.
    const deps = { ...harness.deps, twoPeopleAbove: { USDT: '29.9' } }
    const decideAs = (name: string) => {
      const input = { action: 'retry' as const, transaction: sent.hash, reason: 'the nonce is gone' }
      return decideOnPayout(deps, operatorOf(operatorContext(name)), input)
    }
    expect(await decideAs('bob')).toMatchObject({ state: 'proposed', batchId: sent.id })
    await harness.goOn(1)
    expect(await statuses(charges)).toEqual(['pending', 'pending', 'pending'])
    expect(await decideAs('ana')).toMatchObject({ state: 'ordered', proposedBy: 'bob@example.com' })
    await harness.goOn(1)
    expect(await statuses(charges)).toEqual(['success', 'success', 'success'])
    await harness.deps.alerts.closeGone()
    expect(await alertsOf(sent.id)).toEqual([])
    expect(new Set(await balances(charges))).toEqual(new Set([10_000_000n]))
    expect(await listed()).toEqual([])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    const decisions = await harness.query(
      `select action, state, ordered_by from payments.intervention where batch_id = $1 order by ordered_at`,
      [sent.id],
    )
    expect(decisions.at(-1)).toEqual({ action: 'retry', state: 'done', ordered_by: 'ana@example.com' })
  })

  it('is over where an operator knows that the receivers have their money, with a reason', async () => {
    const { charges, sent } = await sentTogether(2)
    await takeNonce(sent)
    await mine(FINALITY_BLOCKS)
    await harness.goOn(3)
    expect(await decide('resolve', sent.id)).toEqual({ code: 2, result: '--reason is needed.' })
    const before = await harness.transactionCount()
    expect(await decide('resolve', sent.id, '--reason', 'paid by hand')).toMatchObject({ code: 0 })
    expect(await statuses(charges)).toEqual(['success', 'success'])
    expect(await decide('retry', sent.id)).toMatchObject({ code: 1 })
    await harness.goOn(120)
    expect(await harness.transactionCount()).toBe(before)
    expect(await listed()).toEqual([])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a transaction that holds payouts whose payers are refunded a part meanwhile', { timeout: 60_000 }, () => {
  it('has them whole, and they count as paid where an operator says so', async () => {
    const { charges, sent } = await sentTogether(1)
    await takeNonce(sent)
    await mine(FINALITY_BLOCKS)
    await harness.goOn(3)
    for (const { payment } of charges) {
      // The transaction may have paid the receiver all of it: the tenant bears the refund.
      expect(await outcomeOf(orderRefund(harness, payment, { amount: '27.1' }))).toBe('insufficient_refund_balance')
      await fundRefunds(harness.databaseUrl, harness.tenant.id, '27.1', payment.id)
      await orderRefund(harness, payment, { amount: '27.1' })
      await untilRefunded(harness, payment)
      expect(await harness.deps.payouts.findAll(payment)).toMatchObject([
        { state: 'held', amount: '10', withheld: '0' },
      ])
    }
    const resolved = await decide('resolve', sent.id, '--reason', 'paid by hand')
    expect(resolved).toEqual({ code: 0, result: '1 payouts count as paid' })
    expect(await statuses(charges)).toEqual(['success'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a transaction that holds payouts of which a bank takes a part back meanwhile', { timeout: 60_000 }, () => {
  it('still is why they are held: who lets them go has to prove that it did not pay', async () => {
    const { charges, sent } = await sentTogether(1)
    await takeNonce(sent)
    await mine(FINALITY_BLOCKS)
    await harness.goOn(3)
    for (const { payment, endToEndId } of charges) {
      await harness.pixControl(`/pix/${endToEndId}/med`, { valor: '10.00' })
      await untilToldOf(harness, endToEndId, 2)
      await harness.runJobs()
      expect((await alertsOf(payment.id)).map(({ kind }) => kind)).toContain('payout_held')
      expect(await harness.deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'unproven' }])
    }
    expect(await decide('resolve', sent.id, '--reason', 'paid by hand')).toMatchObject({ code: 0 })
    expect(await statuses(charges)).toEqual(['success'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a batch that landed and shows no transfers', { timeout: 60_000 }, () => {
  it('is told once, is never paid anew by itself, and can be resolved', async () => {
    const address = harness.chain.tokens['USDT']?.address ?? '0x'
    const code = (await harness.anvil.getCode({ address })) ?? '0x'
    const { charges, sent } = await sentTogether(3)
    await harness.anvil.setCode({ address, bytecode: SILENT })
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setCode({ address, bytecode: code })
    await mine(FINALITY_BLOCKS)
    await harness.goOn(15)
    await harness.deps.alerts.closeGone()
    expect(await listed()).toMatchObject([{ id: sent.id, state: 'confirmed', holdsPayouts: true }])
    expect(await alertsOf(sent.id)).toMatchObject([{ kind: 'payout_unexpected', count: 1 }])
    expect(await decide('retry', sent.id)).toMatchObject({
      code: 1,
      result: expect.stringContaining('landed') as string,
    })
    expect(await decide('resolve', sent.id, '--reason', 'the token keeps a fee')).toMatchObject({ code: 0 })
    expect(await statuses(charges)).toEqual(['success', 'success', 'success'])
    expect((await presentOf(harness, charges[0]?.payment as Payment)).tidHash).toBe(sent.hash)
    await harness.deps.alerts.closeGone()
    expect(await alertsOf(sent.id)).toEqual([])
    expect(await decide('resolve', sent.id, '--reason', 'again')).toMatchObject({ code: 1 })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a transaction that an operator cancels', { timeout: 60_000 }, () => {
  it('pays nobody where the empty one lands, and its payouts wait for another decision', async () => {
    const { charges, sent } = await sentTogether(2)
    expect(await decide('cancel', sent.id, '--reason', 'a wrong price')).toMatchObject({ code: 0 })
    await mine(FINALITY_BLOCKS)
    await harness.goOn(120)
    expect(await balances(charges)).toEqual([0n, 0n])
    expect(await listed()).toMatchObject([{ id: sent.id, holdsPayouts: true }, { holdsPayouts: true }])
    expect(await alertsOf(sent.id)).toMatchObject([{ kind: 'payout_held', count: 1 }])
    expect(await decide('retry', sent.id)).toMatchObject({ code: 0 })
    expect(await statuses(charges)).toEqual(['success', 'success'])
    expect(await balances(charges)).toEqual([10_000_000n, 10_000_000n])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is the one that is sent on, with higher fees too, though another process had signed by a clock that was ahead', async () => {
    const { charges, sent } = await sentTogether(1)
    const versions = () =>
      harness.query(
        'select version from payments.treasury_transaction where batch_id = $1 order by nonce, created_at, version',
        [sent.id],
      )
    await harness.query(
      `update payments.treasury_transaction set created_at = created_at + interval '5 seconds' where batch_id = $1`,
      [sent.id],
    )
    expect(await decide('cancel', sent.id, '--reason', 'a wrong price')).toMatchObject({ code: 0 })
    expect(await versions()).toEqual([{ version: 0 }, { version: 1 }])
    await harness.goOn(70)
    expect(await versions()).toEqual([{ version: 0 }, { version: 1 }, { version: 2 }])
    await mine(FINALITY_BLOCKS)
    await harness.goOn(120)
    expect(await balances(charges)).toEqual([0n])
    expect(await decide('retry', sent.id)).toMatchObject({ code: 0 })
    expect(await balances(charges)).toEqual([10_000_000n])
  })

  it('is refused once a block has it, and for what there is not', async () => {
    const { charges, sent } = await sentTogether(1)
    await mine(FINALITY_BLOCKS)
    expect(await statuses(charges)).toEqual(['success'])
    for (const action of ['cancel', 'retry']) expect(await decide(action, sent.id)).toMatchObject({ code: 1 })
    for (const action of ['cancel', 'retry'])
      expect(await decide(action, 'nothing')).toMatchObject({
        code: 2,
        result: expect.stringContaining('no transaction nothing') as string,
      })
    expect(await balances(charges)).toEqual([10_000_000n])
  })

  it.each([
    [
      { atStep: 'interventions.markCancelled', side: 'before' },
      { atStep: 'payments.changeMany', side: 'before' },
    ],
    [
      { atStep: 'interventions.markCancelled', side: 'after' },
      { atStep: 'payments.changeMany', side: 'after' },
    ],
    [
      { atStep: 'payouts.addVersion', side: 'after' },
      { atStep: 'interventions.end', side: 'before' },
    ],
    [
      { atStep: 'chain.send', side: 'after' },
      { atStep: 'interventions.end', side: 'after' },
    ],
  ] as const)(
    'pays nobody, and once where it is retried, though workers die: %j, %j',
    { timeout: 120_000 },
    async (cancelling, retrying) => {
      const { charges, sent } = await sentTogether(2)
      await dieWhile(cancelling, 'cancel', sent.id)
      await mine(FINALITY_BLOCKS)
      await harness.goOn(60)
      expect(await balances(charges)).toEqual([0n, 0n])
      await dieWhile(retrying, 'retry', sent.id)
      await mine(FINALITY_BLOCKS)
      await harness.goOn(60)
      expect(await statuses(charges)).toEqual(['success', 'success'])
      expect(await balances(charges)).toEqual([10_000_000n, 10_000_000n])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    },
  )
})

/** A decision whose first worker dies on the way. */
async function dieWhile(plan: CrashPlan, ...args: string[]): Promise<void> {
  const { deps } = crashingDeps(harness.deps, plan)
  const is = { over: false, dead: false }
  const answer = runLedger(harness, ...args).finally(() => (is.over = true))
  while (!is.over) {
    if (is.dead) await harness.runJobs()
    else is.dead = (await runMortal(harness, deps)) !== undefined
  }
  expect(await answer).toBe(0)
}
