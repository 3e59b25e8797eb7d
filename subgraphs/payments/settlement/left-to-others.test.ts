import { afterEach, describe, expect, it } from 'vitest'
import type { NewPaymentTerms } from '../domain/registration/new-payment.js'
import { payCharge, untilEnded } from '../fixtures/pix-payments.js'
import { startTwoAccounts, type PaidTo } from '../fixtures/two-accounts.js'
import type { Payout } from '../store/payout.entity.js'
import type { PayoutChain } from './payout-chain.js'

const { harness, first, second, other, fund, charged, wave, accountsOf, alertsOf, restore } = await startTwoAccounts()
const { anvil, deps, treasury } = harness
await fund(other, '1000')
afterEach(() => restore())

const COINS = { toCurrencySymbol: 'POL' }
const idsOf = (payments: readonly PaidTo[]) => payments.map(({ payment }) => payment.id)

/** The second account, which has no room until a block comes, and no funds then. */
async function fillSecond(): Promise<{ held: PaidTo[]; full: PayoutChain }> {
  await anvil.setAutomine(false)
  deps.payoutChains.evm = [second]
  const held = await wave(1)
  await harness.goOn(1)
  expect(await accountsOf(held)).toEqual([other])
  const prepare: PayoutChain['prepare'] = (_chain, { payouts }) =>
    Promise.resolve({ prepared: [], insufficientFunds: [...payouts], failing: [] })
  return { held, full: { ...second, unminedMax: 1, prepare } }
}

/**
 * Has one payment's payout due at once. That of the next comes while the run goes on; then the second account gets room. Gives the second
 * payment, and which payouts were rescheduled until both had their time.
 */
async function settleInTurn(
  bad: Partial<NewPaymentTerms>,
  good: Partial<NewPaymentTerms>,
  run: (one: PaidTo) => Promise<unknown>,
) {
  const [one, late] = [await charged(bad), await charged(good)]
  deps.arePayoutsPaused = true
  for (const { txid } of [one, late]) await payCharge(harness, txid)
  await harness.goOn(1)
  deps.arePayoutsPaused = false
  const dueAt = (at: string) =>
    harness.query(`update payments.payout set not_before = ${at} where payment_id = $1`, idsOf([late]))
  await dueAt(`now() + interval '1 day'`)
  const { payouts, delay } = deps
  const rescheduled: string[] = []
  const reschedule = (...given: Parameters<typeof payouts.reschedule>) => {
    rescheduled.push(...given[0].map(({ paymentId }) => paymentId))
    return payouts.reschedule(...given)
  }
  deps.payouts = { ...payouts, reschedule }
  deps.delay = async () => {
    deps.delay = delay
    await dueAt('created_at')
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
  }
  await run(one)
  deps.payouts = payouts
  return { one, late, rescheduled }
}

describe('what an account leaves to others while one has no room', () => {
  it('is nothing that comes later, which it can pay and the other cannot', async () => {
    const { held, full } = await fillSecond()
    const taken = await harness.setTreasuryUnits(20_000_000n)
    deps.payoutChains.evm = [first, full]
    const { one, late, rescheduled } = await settleInTurn({ amountFrom: '5420' }, {}, () => harness.goOn(1))
    expect(rescheduled).toEqual(idsOf([one]))
    const told = `1 payouts of USDT wait for funds of ${treasury}, ${other}`
    expect(await alertsOf('treasury_shortage')).toMatchObject([{ details: told, count: 1 }])
    expect(await untilEnded(harness, late.payment)).toMatchObject({ status: 'success' })
    expect(await accountsOf([late])).toEqual([treasury])
    await harness.setTreasuryUnits(taken)
    for (const { payment } of [...held, one]) {
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    }
    await deps.alerts.clear('treasury_shortage', 'polygon')
  })

  it('is no shortage where its transaction would fail, and no coin that it can pay to another', async () => {
    const { held, full } = await fillSecond()
    const failing = new Set<string>()
    const prepare: PayoutChain['prepare'] = async (chain, wanted) => {
      const isBad = ({ paymentId }: Payout): boolean => failing.has(paymentId)
      const found = await first.prepare(chain, { ...wanted, payouts: wanted.payouts.filter((one) => !isBad(one)) })
      const bad = wanted.payouts.filter(isBad).map((payout) => ({ payout, reason: 'the receiver reverts' }))
      return { ...found, failing: [...found.failing, ...bad] }
    }
    deps.payoutChains.evm = [{ ...first, prepare }, full]
    const { one, late, rescheduled } = await settleInTurn(COINS, COINS, async ({ payment }) => {
      failing.add(payment.id)
      await harness.goOn(1)
    })
    expect(rescheduled).toEqual(idsOf([one]))
    expect(await alertsOf('treasury_shortage')).toEqual([])
    expect(await alertsOf('payout_failed')).toMatchObject([{ subject: one.payment.id, count: 1 }])
    expect(await untilEnded(harness, late.payment)).toMatchObject({ status: 'success' })
    expect(await accountsOf([late])).toEqual([treasury])
    deps.payoutChains.evm = [first, second]
    await harness.goOn(61)
    for (const { payment } of [...held, one]) {
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    }
  })
})
