import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { until } from '../../../test/harness/until.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import type { Payout } from '../store/payout.entity.js'
import { lackingFunds } from './lacking-funds.js'
import type { Treasury } from './treasury.js'

const harness = await startSettlementHarness()

async function charged(toCurrencySymbol: string) {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  return (await paidPayment(harness, { splitPaymentConfig, toCurrencySymbol })).payment
}

const shortages = async () => (await harness.deps.alerts.list()).filter(({ kind }) => kind === 'treasury_shortage')

describe('a token that the treasury lacks while it pays out another', () => {
  it('is told once it is short for half a minute, and its payouts are put off until they are funded', async () => {
    await harness.emptyTreasury()
    await harness.anvil.setAutomine(false)
    const paid = await charged('POL')
    await until('its payout is on its way', async () => {
      await harness.goOn(1)
      return (await harness.deps.payouts.findAll(paid))[0]?.state !== 'waiting'
    })
    const unfunded = await charged('USDT')
    await harness.goOn(20)
    // What is on its way may be what makes it look short.
    expect(await shortages()).toEqual([])
    expect(await harness.deps.payouts.findAll(unfunded)).toMatchObject([{ state: 'waiting', waitsFor: null }])
    await harness.goOn(11)
    expect(await shortages()).toMatchObject([
      { subject: 'polygon', details: expect.stringContaining('1 payouts of USDT wait for funds') as string },
    ])
    const [payout] = await harness.deps.payouts.findAll(unfunded)
    expect(payout).toMatchObject({ state: 'waiting', waitsFor: 'funds' })
    expect(payout?.notBefore.getTime()).toBeGreaterThan(harness.clock.now().getTime())
    // It is put off at once from then on, and asks for no round in between.
    await harness.goOn(16)
    const [again] = await harness.deps.payouts.findAll(unfunded)
    expect(again?.notBefore.getTime()).toBeGreaterThan(payout?.notBefore.getTime() ?? Infinity)
    await harness.anvil.mine({ blocks: 1 })
    await harness.anvil.setAutomine(true)
    expect(await untilEnded(harness, paid)).toMatchObject({ status: 'success' })
    await harness.fundTreasury('1000')
    expect(await untilEnded(harness, unfunded)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('what an account does not cover', () => {
  const treasury = { deps: harness.deps, chain: { name: 'solana' }, port: { account: 'one' } } as unknown as Treasury
  const behind = { symbol: 'USDC' } as Payout
  const lackingOf = (isAnyCovered: boolean) =>
    lackingFunds(treasury, { prepared: [], open: [], insufficientFunds: [behind], isAnyCovered }, harness.clock.now())

  it('is not lacking behind what it covers and could not sign yet: another account may pay the one or the other', () => {
    expect(lackingOf(true)).toEqual([])
  })

  it('is lacking where it covers nothing, and nothing is on its way', () => {
    expect(lackingOf(false)).toEqual([behind])
  })
})
