import { parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { operatorOf } from '../../../../kernel/subgraph.js'
import { operatorContext } from '../../../../test/harness/operator.js'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { until } from '../../../../test/harness/until.js'
import { paidPayment, presentOf, untilEnded } from '../../fixtures/pix-payments.js'
import type { Payment } from '../../store/payment.entity.js'
import { pause, resume } from './change-pauses.js'
import { releaseHeldPayouts } from './decide-on-payout.js'
import { listDecisions, listProposals } from './list-decisions.js'
import { listWaitingPayouts } from './list-waiting-payouts.js'
import { readTreasury } from './read-treasury.js'

const harness = await startSettlementHarness()
/** What a payment of 100 BRL pays out, 18.450185 USDT, needs two people; half of it does not. */
const deps = { ...harness.deps, twoPeopleAbove: { USDT: '10' } }
const ana = operatorOf(operatorContext('ana'))
const bob = operatorOf(operatorContext('bob'))
/** The same person under another id. */
const anaAgain = { ...ana, id: 'cother', email: 'ANA@example.com' }
const { risk } = deps

const waiting = async () => (await listWaitingPayouts(deps, {})).edges.map(({ node }) => node)
const usdt = async () => (await readTreasury(deps))[0]?.tokens.find(({ symbol }) => symbol === 'USDT')
const paid = async (amountFrom = '100'): Promise<Payment> => {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  return (await paidPayment(harness, { amountFrom, splitPaymentConfig })).payment
}
const received = ({ splitPaymentConfig }: Payment) =>
  harness.balanceOf((splitPaymentConfig[0]?.receiverWallet ?? '0x') as `0x${string}`)
/** A payment whose payout is more than a payout may be. */
const heldByCap = async (amountFrom?: string): Promise<Payment> => {
  await risk.setCap('polygon', 'USDT', { perPayout: '1', perDay: null })
  const payment = await paid(amountFrom)
  await risk.setCap('polygon', 'USDT', { perPayout: null, perDay: null })
  return payment
}

describe('the treasury', () => {
  it('shows what the chain shows, what leaves in a day, and how long the rest lasts', async () => {
    await paid()
    await harness.emptyTreasury()
    await harness.fundTreasury('184.50185')
    await risk.setCap('polygon', 'USDT', { perPayout: null, perDay: '500' })
    const [polygon, ...others] = await readTreasury(deps)
    expect(others).toEqual([])
    expect(polygon).toMatchObject({ chainName: 'polygon', account: harness.treasury, isPaused: false })
    expect(polygon?.gasPayer).toEqual({ account: deps.gasPayer.account, symbol: 'POL', balance: '0' })
    const coin = polygon?.tokens.find(({ symbol }) => symbol === 'POL')
    expect(parseUnits(coin?.balance ?? '', 18)).toBe(await harness.anvil.getBalance({ address: harness.treasury }))
    expect(await usdt()).toMatchObject({
      ...{ balance: '184.50185', lastDay: '18.450185', waitingCount: 0, waiting: '0', lastsHours: '240' },
      cap: { perPayout: null, perDay: '500' },
    })
    await risk.setCap('polygon', 'USDT', { perPayout: null, perDay: null })
    await harness.advance(25 * 3600)
    expect(await usdt()).toMatchObject({ lastDay: '0', lastsHours: null })
  })
})

describe('payouts that wait', () => {
  it('say that they are paused, and go on when they no longer are', async () => {
    await expect(pause(deps, { chainName: 'nowhere', reason: 'a slip' })).rejects.toMatchObject({
      errors: [{ field: 'chainName', message: 'must be a chain of the deployment' }],
    })
    const { pauses } = await pause(deps, { chainName: 'polygon', reason: 'the node lies' })
    expect(pauses).toMatchObject([{ chainName: 'polygon', tenantId: null, reason: 'the node lies' }])
    const payment = await paid()
    expect(await waiting()).toMatchObject([{ paymentId: payment.id, amount: '18.450185', why: 'paused', until: null }])
    expect(await usdt()).toMatchObject({ waitingCount: 1, waiting: '18.450185' })
    expect((await readTreasury(deps))[0]?.isPaused).toBe(true)
    expect(await resume(deps, { chainName: 'polygon' })).toEqual({ pauses: [] })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await waiting()).toEqual([])
  })

  it('say that the treasury is short of funds, and come page by page', async () => {
    await harness.emptyTreasury()
    const [first, second] = [await paid(), await paid()]
    expect((await waiting()).map(({ paymentId, why }) => [paymentId, why])).toEqual([
      [first.id, 'funds'],
      [second.id, 'funds'],
    ])
    expect(await usdt()).toMatchObject({ balance: '0', lastsHours: '0' })
    const one = await listWaitingPayouts(deps, { first: 1 })
    expect(one.pageInfo.hasNextPage).toBe(true)
    const two = await listWaitingPayouts(deps, { first: 1, after: one.pageInfo.endCursor })
    expect(two.edges.map(({ node }) => node.paymentId)).toEqual([second.id])
    expect(two.pageInfo.hasNextPage).toBe(false)
    await harness.fundTreasury('1000')
    for (const payment of [first, second])
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })
})

describe('an act about payouts', () => {
  it('below the set sum is one person’s, is written down with the reason, and is refused without one', async () => {
    const payment = await heldByCap('50')
    expect(await waiting()).toMatchObject([{ paymentId: payment.id, why: 'treasury_cap' }])
    await expect(releaseHeldPayouts(deps, ana, { paymentId: payment.id, reason: '' })).rejects.toMatchObject({
      code: 'validation_error',
    })
    const released = await releaseHeldPayouts(deps, ana, { paymentId: payment.id, reason: 'known' })
    expect(released).toMatchObject({ state: 'done', orderedBy: ana.email, proposedBy: null, reason: 'known' })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect((await listDecisions(deps, {})).edges.map(({ node }) => node.id)).toEqual([released.id])
  })

  it('above it is a proposal until another person does the same, and never the same person’s alone', async () => {
    const payment = await heldByCap()
    const release = (person: typeof ana, reason: string) =>
      releaseHeldPayouts(deps, person, { paymentId: payment.id, reason })
    for (const person of [ana, ana, anaAgain, { ...ana, email: 'ana@elsewhere.com' }]) {
      expect(await release(person, 'a large sale')).toMatchObject({ state: 'proposed', proposedBy: ana.email })
    }
    expect((await listProposals(deps)).map(({ batchId, action }) => [batchId, action])).toEqual([
      [payment.id, 'release'],
    ])
    await harness.runJobs()
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await received(payment)).toBe(0n)
    expect(await release(bob, 'I asked them')).toMatchObject({
      ...{ state: 'done', orderedBy: bob.email, proposedBy: ana.email, reason: 'I asked them' },
    })
    expect(await listProposals(deps)).toEqual([])
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await received(payment)).toBe(18_450_185n)
    await expect(release(bob, 'again')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('counts as that of all payments of a transaction that nobody can prove unpaid: one by one they would be small', async () => {
    const payments = [await heldByCap('50'), await heldByCap('50')]
    const ids = payments.map(({ id }) => id)
    await harness.query(`update payments.payout set hold_reason = 'unproven' where payment_id = any($1)`, [ids])
    await harness.query(
      `insert into payments.batch_leg (batch_id, position, tenant_id, payment_id, leg, attempt, amount, outcome)
        select 'cunproven', row_number() over (), tenant_id, payment_id, leg, attempt, amount, 'unproven'
        from payments.payout where payment_id = any($1)`,
      [ids],
    )
    for (const paymentId of ids) {
      const released = await releaseHeldPayouts(deps, ana, { paymentId, reason: 'it looks unpaid' })
      expect(released).toMatchObject({ state: 'proposed' })
    }
    for (const payment of payments) expect(await received(payment)).toBe(0n)
  })

  it('is no proposal any more after a day: the next person’s is the first again', async () => {
    const payment = await heldByCap()
    const release = (person: typeof ana) => releaseHeldPayouts(deps, person, { paymentId: payment.id, reason: 'known' })
    expect(await release(ana)).toMatchObject({ state: 'proposed' })
    await harness.advance(24 * 3600 + 1)
    expect(await listProposals(deps)).toEqual([])
    expect(await release(bob)).toMatchObject({ state: 'proposed', proposedBy: bob.email })
    expect(await release(ana)).toMatchObject({ state: 'done', proposedBy: bob.email })
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })

  it('counts what is held while it waits for who holds it', async () => {
    const receivers = [harness.newReceiver(), harness.newReceiver()]
    const splitPaymentConfig = receivers.map((receiverWallet, index) => ({
      receiverWallet,
      receiverPercent: index === 0 ? 10 : 90,
    }))
    await pause(deps, { chainName: 'polygon', reason: 'a test' })
    const { payment } = await paidPayment(harness, { amountFrom: '100', splitPaymentConfig })
    const hold = `update payments.payout set state = 'held', hold_reason = 'wallet_refused' where payment_id = $1 and leg = $2`
    await harness.query(hold, [payment.id, 0])
    const holder = await harness.db.pool.connect()
    try {
      await holder.query('begin')
      await holder.query(hold, [payment.id, 1])
      const released = releaseHeldPayouts(deps, ana, { paymentId: payment.id, reason: 'a small one' })
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await until('the release waits', async () => (await harness.query(waits)).length > 0)
      await holder.query('commit')
      expect(await released).toMatchObject({ state: 'proposed' })
    } finally {
      holder.release()
    }
    await resume(deps, { chainName: 'polygon' })
  })

  it('of two people at once is carried out once at most', async () => {
    const payment = await heldByCap()
    const release = (person: typeof ana) => releaseHeldPayouts(deps, person, { paymentId: payment.id, reason: 'known' })
    await release(ana)
    const cyd = operatorOf(operatorContext('cyd'))
    const both = await Promise.allSettled([release(bob), release(cyd)])
    const states = both.map((one) => (one.status === 'fulfilled' ? one.value.state : 'failed'))
    expect(states.filter((state) => state === 'done')).toHaveLength(1)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await received(payment)).toBe(18_450_185n)
  })
})
