import { describe, expect, it } from 'vitest'
import type { Address } from 'viem'
import { CARDS } from '../../../../sandbox/demo/card-payer.js'
import { createTransaction } from '../../domain/create-transaction.js'
import { cardInput, cardPayment, RECIPIENTS } from '../../fixtures/card-payments.js'
import { randomOf } from '../../../../chaos/random.js'
import { Crash, crashingDeps, plansAt, runMortal, type CrashPlan } from '../../fixtures/crashing-deps.js'
import { presentOf } from '../../fixtures/pix-payments.js'
import { type SettlementHarness, startSettlementHarness } from '../../../../test/harness/settlement.js'
import type { Payment } from '../../store/payment.entity.js'

const SEED = 4_242
const RUNS = 50
/** Where it hurts. */
const STEPS = ['payments.change', 'adapter.create', 'adapter.retrieve', 'ledger.book', 'payouts.claim', 'chain.send']
/** The first runs die at each of these, before and after it; all others wherever the draw says. */
const AIMED: readonly CrashPlan[] = plansAt(...STEPS)
/** Deaths in a row before a process is allowed to live. */
const DEATHS_MAX = 3

const harness = await startSettlementHarness()

/** What one run is about, and what it has to come to. */
interface Run {
  payment: Payment
  type: 'cardcrypto' | 'cardfiat'
  number: string
  idempotencyKey: string | undefined
}

describe('a card payment whose process dies', () => {
  it(
    `charges and pays out exactly once, and its ledger balances, in ${RUNS} random runs`,
    { timeout: 240_000 },
    async () => {
      const random = randomOf(SEED)
      const died = new Set<string>()
      const owed = new Map<Address, bigint>()
      for (let index = 0; index < RUNS; index += 1) {
        const run = await newRun(random, owed, index)
        await dieALot(run, random, died, AIMED[index])
        await liveOn(run)
      }
      for (const [receiver, units] of owed) expect(await harness.balanceOf(receiver)).toBe(units)
      expect(await harness.transactionCount()).toBe(owed.size)
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
      const twice = await harness.query(
        `select payment_id from payments.receipt where outcome = 'accepted' group by payment_id having count(*) > 1`,
      )
      expect(twice).toEqual([])
      // The deaths were where it hurts, not only at the edges.
      expect(STEPS.filter((step) => !died.has(`before ${step}`) || !died.has(`after ${step}`))).toEqual([])
    },
  )
})

async function newRun(random: () => number, owed: Map<Address, bigint>, index: number): Promise<Run> {
  // What is aimed at is reached by a card that pays at once, and a payout.
  const isAimed = index < AIMED.length
  const type = random() < 0.5 || isAimed ? 'cardcrypto' : 'cardfiat'
  const receiverWallet = harness.newReceiver()
  const terms = type === 'cardfiat' ? RECIPIENTS : [{ receiverWallet, receiverPercent: 100 }]
  // 54.2 BRL are 10 USDT.
  const payment = await cardPayment(harness, { splitPaymentConfig: terms, amountFrom: '54.2' })
  if (type === 'cardcrypto') owed.set(receiverWallet, 10_000_000n)
  const number = random() < 0.25 && !isAimed ? CARDS.processing : CARDS.paid
  return { payment, type, number, idempotencyKey: random() < 0.5 ? `run-${index}` : undefined }
}

/** Asks for the charge and works off what follows, in processes that die on the way. */
async function dieALot(run: Run, random: () => number, died: Set<string>, aimed: CrashPlan | undefined): Promise<void> {
  for (let deaths = 0; deaths < DEATHS_MAX; deaths += 1) {
    const side = random() < 0.5 ? 'before' : 'after'
    const drawn = { atStep: Math.floor(random() * 12), side } as const
    const { deps } = crashingDeps(harness.deps, deaths === 0 && aimed ? aimed : drawn)
    // What a caller is refused, because the payment is on its way or done, is no death.
    const atRequest = await request(deps, run).then(
      () => undefined,
      (error: unknown) => (error instanceof Crash ? error.message : undefined),
    )
    const death = atRequest ?? (await runMortal(harness, deps))
    if (death === undefined) return
    died.add(death)
  }
}

function request(
  deps: SettlementHarness['deps'],
  { payment, type, number, idempotencyKey: key }: Run,
): Promise<Payment> {
  const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: 'same', onReplay: () => undefined } }
  const input = cardInput(payment, { transactionType: type }, number)
  return createTransaction(deps, { ...harness.tenant, ...idempotency }, input)
}

/** From here on nobody dies: the payment comes to its end by itself, or is asked for once more. */
async function liveOn(run: Run): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await harness.goOn(31)
    const { status } = await presentOf(harness, run.payment)
    if (status === 'success') break
    // A key that was answered has its answer; whoever pays again does so by another request.
    if (status !== 'pending') await request(harness.deps, { ...run, idempotencyKey: undefined })
  }
  expect(await presentOf(harness, run.payment)).toMatchObject({ status: 'success' })
  expect(await heldCharges(run.payment)).toBe(1)
}

/** The orders of a payment that the processor has, by all its attempts; none of these runs has a card refused. */
function heldCharges({ id }: Payment): Promise<number> {
  const codes = [id, `${id}-2`, `${id}-3`, `${id}-4`]
  return Promise.resolve(codes.reduce((sum, code) => sum + harness.card.countOrders(code), 0))
}
