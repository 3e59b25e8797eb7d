import { parseEther } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { payCharge, untilEnded } from '../fixtures/pix-payments.js'
import { startTwoAccounts } from '../fixtures/two-accounts.js'
import type { Payment } from '../store/payment.entity.js'
import type { PayoutChain } from './payout-chain.js'

const { harness, first, second, other, fund, charged, wave, expectPaidOnce, accountsOf, alertsOf, restore } =
  await startTwoAccounts()
const { anvil, deps, treasury } = harness
await fund(other, '1000')
afterEach(() => restore())

const stuck = async () =>
  (await alertsOf('payout_stuck')).filter(({ subject }) => subject === 'polygon').map(({ details }) => details)

const COINS = { toCurrencySymbol: 'POL' }

describe('what one account of the treasury cannot pay', () => {
  it('is paid by the other where its coins are too few for the node to try, and is no failure of the payout', async () => {
    const held = await anvil.getBalance({ address: treasury })
    await anvil.setBalance({ address: treasury, value: parseEther('1') })
    const payments = await wave(1, COINS)
    for (const { payment } of payments) expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await accountsOf(payments)).toEqual([other])
    expect(await alertsOf('payout_failed')).toEqual([])
    await anvil.setBalance({ address: treasury, value: held })
  })

  it('is paid by the other where its transfers would all fail, and only what fails for both is told', async () => {
    let tried = 0
    const prepare: PayoutChain['prepare'] = (_chain, { payouts }) => {
      tried += payouts.length
      const failing = payouts.map((payout) => ({ payout, reason: 'the sender is frozen' }))
      return Promise.resolve({ prepared: [], insufficientFunds: [], failing })
    }
    deps.payoutChains.evm = [{ ...first, prepare }, second]
    const payments = await wave(3)
    await expectPaidOnce(payments)
    expect(await accountsOf(payments)).toEqual([other])
    expect(tried).toBeLessThanOrEqual(12)
    expect(await alertsOf('payout_failed')).toEqual([])
    deps.payoutChains.evm = [
      { ...first, prepare },
      { ...second, prepare },
    ]
    const [bad] = await wave(1)
    await harness.goOn(1)
    expect(await alertsOf('payout_failed')).toMatchObject([
      { subject: bad?.payment.id, details: 'would fail: the sender is frozen', count: 1 },
    ])
    const [payout] = bad ? await deps.payouts.findAll(bad.payment) : []
    expect(payout).toMatchObject({ state: 'waiting', waitsFor: 'another_try', failedTries: 1 })
    deps.payoutChains.evm = [first, second]
    await harness.goOn(61)
    await expectPaidOnce(bad ? [bad] : [])
  })

  it('is no shortage while the other has no room for it', async () => {
    const taken = await harness.setTreasuryUnits(0n)
    await anvil.setAutomine(false)
    deps.payoutChains.evm = [first, { ...second, unminedMax: 1 }]
    const [one, late] = [await charged(), await charged()]
    await payCharge(harness, late.txid)
    deps.arePayoutsPaused = true
    await harness.goOn(1)
    deps.arePayoutsPaused = false
    const { id } = late.payment
    await harness.query(`update payments.payout set not_before = now() + interval '1 day' where payment_id = $1`, [id])
    // It is due while the run goes on that has sent the first.
    const { delay } = deps
    deps.delay = async () => {
      deps.delay = delay
      await harness.query(`update payments.payout set not_before = created_at where payment_id = $1`, [id])
    }
    await payCharge(harness, one.txid)
    await harness.goOn(1)
    expect(await accountsOf([one])).toEqual([other])
    expect(await alertsOf('treasury_shortage')).toEqual([])
    expect(await deps.payouts.findAll(late.payment)).toMatchObject([{ state: 'waiting', waitsFor: null }])
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    await expectPaidOnce([one, late])
    expect(await alertsOf('treasury_shortage')).toEqual([])
    await harness.setTreasuryUnits(taken)
  })

  it('is no shortage while the other cannot be asked for a moment, and is one after that', async () => {
    const taken = await harness.setTreasuryUnits(0n)
    const prepare = () => Promise.reject(new AppError('provider_unavailable', { details: 'its signer is away' }))
    deps.payoutChains.evm = [first, { ...second, prepare }]
    const payments = await wave(1)
    await harness.goOn(1)
    expect(await alertsOf('treasury_shortage')).toEqual([])
    await harness.goOn(31)
    const told = `1 payouts of USDT wait for funds of ${treasury}; ${other} cannot be asked`
    expect(await alertsOf('treasury_shortage')).toMatchObject([{ details: told }])
    // Between two tries nothing is there to sign for: that is no sign of it.
    const notBefore = async () => (await deps.payouts.findAll(payments[0]?.payment as Payment))[0]?.notBefore
    const putOff = await notBefore()
    for (const seconds of [6, 10, 1]) await harness.goOn(seconds)
    expect((await notBefore())?.getTime()).toBeGreaterThan(putOff?.getTime() ?? Infinity)
    await harness.setTreasuryUnits(taken)
    await expectPaidOnce(payments)
    expect(await accountsOf(payments)).toEqual([treasury])
  })

  it('is no shortage where the other was away long ago, and cannot be asked for a moment now', async () => {
    await deps.alerts.clear('treasury_shortage', 'polygon')
    await harness.goOn(121)
    const taken = await harness.setTreasuryUnits(0n)
    const prepare = () => Promise.reject(new AppError('provider_unavailable', { details: 'its signer is away' }))
    deps.payoutChains.evm = [first, { ...second, prepare }]
    const payments = await wave(1)
    await harness.goOn(1)
    expect((await alertsOf('treasury_shortage')).filter(({ closedAt }) => closedAt === null)).toEqual([])
    await harness.setTreasuryUnits(taken)
    await expectPaidOnce(payments)
  })
})

describe('an account of which no block takes the next transaction', () => {
  it('gets no payouts that another can pay, and those that no other can', async () => {
    await anvil.setAutomine(false)
    deps.payoutChains.evm = [second]
    const held = await wave(1)
    await harness.goOn(1)
    await harness.goOn(61)
    deps.payoutChains.evm = [first]
    const before = await wave(2)
    await harness.goOn(1)
    deps.payoutChains.evm = [first, second]
    const next = await wave(3)
    await harness.goOn(1)
    expect(await accountsOf(before)).toEqual([treasury])
    expect(await accountsOf(next)).toEqual([treasury])
    const taken = await harness.setTreasuryUnits(0n)
    const last = await wave(1)
    await harness.goOn(1)
    await harness.goOn(31)
    expect(await accountsOf(last)).toEqual([other])
    await harness.setTreasuryUnits(taken)
    await anvil.mine({ blocks: 1 })
    await anvil.setAutomine(true)
    await expectPaidOnce([...held, ...before, ...next, ...last])
  })
})

describe('what nobody knows that an account has sent', () => {
  it('is told of after a while where others keep payouts waiting for it, until it is known of all', async () => {
    const nobody = { prepared: [], insufficientFunds: [], failing: [] }
    const unread: PayoutChain = { ...second, isPastRead: () => false, prepare: () => Promise.resolve(nobody) }
    deps.payoutChains.evm = [first, unread]
    const payments = await wave(1)
    await harness.goOn(1)
    expect(await stuck()).toEqual([])
    await harness.goOn(61)
    const details = `payouts wait until it is known what ${other} has sent`
    expect(await stuck()).toEqual([details])
    const told = await alertsOf('payout_stuck')
    // The first one's list is read to its end: that ends no alert about the second.
    const of = { chainName: 'polygon', account: treasury }
    await deps.foreign.noteUnread(of)
    const readForeign: PayoutChain['readForeign'] = (_chain, { nonce, block }) =>
      Promise.resolve({ transfers: [], mayHaveSentCoins: false, nonce, block, signature: undefined })
    deps.payoutChains.evm = [{ ...first, readForeign }, unread]
    await harness.goOn(1)
    expect((await alertsOf('payout_stuck')).map(({ firstAt }) => firstAt)).toEqual(told.map(({ firstAt }) => firstAt))
    deps.payoutChains.evm = [first, second]
    await expectPaidOnce(payments)
    expect(await stuck()).toEqual([])
  })

  it('ends no alert about something else', async () => {
    await deps.foreign.noteUnread({ chainName: 'polygon', account: treasury })
    await deps.alerts.raise({ kind: 'payout_stuck', subject: 'polygon', details: 'gas is above its cap' })
    const readForeign: PayoutChain['readForeign'] = (_chain, { nonce, block }) =>
      Promise.resolve({ transfers: [], mayHaveSentCoins: false, nonce, block, signature: undefined })
    deps.payoutChains.evm = [{ ...first, readForeign }, second]
    await expectPaidOnce(await wave(1))
    expect(await stuck()).toEqual(['gas is above its cap'])
    await deps.alerts.clear('payout_stuck', 'polygon')
  })

  it('holds payouts in coins also where the account has left the settings', async () => {
    const { payment, txid } = await charged(COINS)
    await harness.advance(1)
    await harness.query(
      `insert into payments.treasury_cursor (chain_name, account, nonce, coins_until) values ('polygon', 'gone', 0, $1)`,
      [harness.clock.now()],
    )
    await payCharge(harness, txid)
    await harness.goOn(1)
    expect(await deps.payouts.findAll(payment)).toMatchObject([{ state: 'held' }])
  })
})
