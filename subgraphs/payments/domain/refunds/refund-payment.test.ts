import { afterEach, describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { outcomeOf } from '../../../../test/harness/refusal.js'
import { until } from '../../../../test/harness/until.js'
import { balanceIn } from '../../fixtures/books.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { chargedPayment, payAndProcess, presentOf, startPix, untilToldOf } from '../../fixtures/pix-payments.js'
import { fundRefunds, orderRefund, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import { holdPayouts, setFirstPayout } from '../../fixtures/rows.js'
import type { HoldReason } from '../../model/hold-reason.js'
import type { Payment } from '../../store/payment.entity.js'

/** Without a node of the chain payouts wait: a refund finds them all. */
const harness = await startPaymentsHarness()
afterEach(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

const SPLIT = [
  { receiverWallet: RECEIVERS[0], receiverPercent: 60 },
  { receiverWallet: RECEIVERS[1], receiverPercent: 40 },
]

async function paidPix(splitPaymentConfig = SPLIT): Promise<{ payment: Payment; endToEndId: string }> {
  const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
  return { payment, endToEndId: await payAndProcess(harness, txid) }
}
const payoutsOf = async (payment: Payment) =>
  (await harness.deps.payouts.findAll(payment)).map(({ state, amount, withheld }) => ({ state, amount, withheld }))
const balanceOf = (account: string) => balanceIn(harness.deps, account, 'BRL')
const returnsAtProvider = async (endToEndId: string) => {
  const { cobs } = (await (await fetch(`${harness.pix.url}/sandbox/cob`)).json()) as {
    cobs: { pix: { endToEndId: string; devolucoes: { valor: string; status: string }[] }[] }[]
  }
  return cobs.flatMap(({ pix }) => pix).find((pix) => pix.endToEndId === endToEndId)?.devolucoes ?? []
}

describe('a refund', () => {
  it('needs a payment that was charged and paid', async () => {
    const { payment } = await chargedPayment(harness)
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('payment_not_refundable')
  })

  it.each(['unproven', null])(
    'takes nothing off a payout whose transaction may have landed: held as %s',
    async (reason) => {
      const { payment } = await paidPix()
      await holdPayouts(harness, payment, reason as HoldReason | null)
      const before = await payoutsOf(payment)
      expect(await outcomeOf(orderRefund(harness, payment))).toBe('insufficient_refund_balance')
      expect(await payoutsOf(payment)).toEqual(before)
      await fundRefunds(harness.databaseUrl, harness.tenant.id, '100', payment.id)
      await orderRefund(harness, payment)
      expect(await untilRefunded(harness, payment)).toMatchObject([{ status: 'succeeded' }])
      // Should the transaction have landed, its receivers count as paid; the tenant has paid the refund.
      expect(await payoutsOf(payment)).toEqual(before)
      expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', refundedAmount: '100' })
    },
  )

  it.each(['treasury_cap', 'cancelled'] as const)(
    'takes off a payout that is held as %s what it bears',
    async (reason) => {
      const { payment } = await paidPix()
      await holdPayouts(harness, payment, reason)
      await orderRefund(harness, payment)
      await untilRefunded(harness, payment)
      expect((await payoutsOf(payment)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    },
  )

  it('takes what has left from what the tenant has set aside, and nothing where that is too little', async () => {
    const { payment } = await paidPix()
    await setFirstPayout(harness, payment, 'sending')
    const before = Number(await balanceOf('tenant:refunds'))
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '50' }))).toBe('insufficient_refund_balance')
    expect((await payoutsOf(payment)).map(({ withheld }) => withheld)).toEqual(['0', '0'])
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '30', payment.id)
    await orderRefund(harness, payment, { amount: '50' })
    await untilRefunded(harness, payment)
    expect((await payoutsOf(payment)).map(({ state, withheld }) => [state, withheld])).toEqual([
      ['sending', '0'],
      ['waiting', '3.690037'],
    ])
    expect(Number(await balanceOf('tenant:refunds'))).toBe(before)
  })
})

describe('a refund while a payout is being taken to be sent', () => {
  it('waits for it, and then takes nothing off it', async () => {
    const { payment } = await paidPix()
    const worker = await harness.db.pool.connect()
    try {
      await worker.query('begin')
      await worker.query(`update payments.payout set state = 'sending' where payment_id = $1`, [payment.id])
      const ordered = outcomeOf(orderRefund(harness, payment, { amount: '50' }))
      await until('the refund waits for the payouts', async () => {
        const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await harness.query(blocked)).length === 1
      })
      await worker.query('commit')
      expect(await ordered).toBe('insufficient_refund_balance')
    } finally {
      worker.release()
    }
    expect((await payoutsOf(payment)).map(({ state, withheld }) => [state, withheld])).toEqual([
      ['sending', '0'],
      ['sending', '0'],
    ])
  })
})

describe('the balance for refunds', () => {
  it('is not filled for a tenant that has no payments, as a mistyped id has none', async () => {
    const { code, text } = await fundRefunds(harness.databaseUrl, 'nobody', '30', 'a-reference')
    expect([code, text.split('\n')[0]]).toEqual([2, expect.stringContaining('nobody has no payments')])
    expect((await harness.deps.ledger.balances('nobody')).length).toBe(0)
  })
})

describe('a refund before the receivers are paid', () => {
  it('is borne by each in proportion, and goes back once', async () => {
    const { payment, endToEndId } = await paidPix()
    const refund = await orderRefund(harness, payment, { amount: '30', reason: 'duplicate' })
    expect(refund).toMatchObject({ status: 'pending', amount: '30', currency: 'BRL', reason: 'duplicate' })
    expect(await untilRefunded(harness, payment)).toMatchObject([{ id: refund.id, status: 'succeeded' }])
    expect(await payoutsOf(payment)).toEqual([
      { state: 'waiting', amount: '7.749078', withheld: '3.321033' },
      { state: 'waiting', amount: '5.166052', withheld: '2.214022' },
    ])
    expect(await returnsAtProvider(endToEndId)).toMatchObject([{ valor: '30.00', status: 'DEVOLVIDO' }])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending', refundedAmount: '30' })
  })

  it('in parts ends with nothing left, to the cent, and the payment is no success', async () => {
    const { payment, endToEndId } = await paidPix()
    for (const amount of ['33.33', '0.01', undefined]) await orderRefund(harness, payment, { amount: amount ?? null })
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('refund_exceeds_payment')
    await untilRefunded(harness, payment)
    expect((await payoutsOf(payment)).map(({ state, amount }) => [state, amount])).toEqual([
      ['cancelled', '0'],
      ['cancelled', '0'],
    ])
    const returns = await returnsAtProvider(endToEndId)
    expect(returns.map(({ valor }) => valor).sort()).toEqual(['0.01', '33.33', '66.66'])
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'refunded' },
      refundedAmount: '100',
    })
    await expect(startPix(harness, payment)).rejects.toMatchObject({ code: 'payment_already_processed' })
  })

  it('is never above what was paid, however many are ordered at once', async () => {
    const { payment, endToEndId } = await paidPix()
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcomeOf(orderRefund(harness, payment, { amount: '15' }))),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(6)
    expect(new Set(outcomes)).toEqual(new Set(['done', 'refund_exceeds_payment']))
    await untilRefunded(harness, payment)
    expect(await returnsAtProvider(endToEndId)).toHaveLength(6)
    expect(await presentOf(harness, payment)).toMatchObject({ refundedAmount: '90' })
  })
})

describe('a refund that the provider does not carry out', () => {
  it.each(['NAO_REALIZADO', 'a refusal of the request'])(
    'fails by %s, and the money can be refunded again',
    async (how) => {
      const before = Number(await balanceOf('tenant:refunds'))
      const { payment, endToEndId } = await paidPix()
      if (how === 'NAO_REALIZADO') await harness.pixControl('/returns', { mode: 'refuse' })
      // Longer ago than the provider takes a return.
      else harness.clock.advance(91 * 24 * 3_600_000)
      await orderRefund(harness, payment)
      expect(await untilRefunded(harness, payment)).toMatchObject([{ status: 'failed', amount: '100' }])
      await harness.pixControl('/returns', { mode: 'settle' })
      expect(Number(await balanceOf('tenant:refunds')) - before).toBe(-100)
      expect((await presentOf(harness, payment)).refundedAmount).toBeNull()
      if (how !== 'NAO_REALIZADO') return
      await orderRefund(harness, payment, { amount: '100' })
      expect(await untilRefunded(harness, payment)).toMatchObject([{ status: 'failed' }, { status: 'succeeded' }])
      expect((await returnsAtProvider(endToEndId)).filter(({ status }) => status === 'DEVOLVIDO')).toHaveLength(1)
      expect(Number(await balanceOf('tenant:refunds')) - before).toBe(0)
    },
  )
})

describe('money that goes back by two ways', () => {
  it('is taken once where it is charged back after a refund', async () => {
    const { payment, endToEndId } = await paidPix()
    await orderRefund(harness, payment, { amount: '40' })
    await untilRefunded(harness, payment)
    const tenantBefore = Number(await balanceOf('tenant'))
    await harness.pixControl(`/pix/${endToEndId}/med`)
    await untilToldOf(harness, endToEndId, 3)
    await harness.runJobs()
    expect((await returnsAtProvider(endToEndId)).map(({ valor }) => valor)).toEqual(['40.00', '60.00'])
    expect((await payoutsOf(payment)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect(await presentOf(harness, payment)).toMatchObject({ dataError: { code: 'charge_taken_back' } })
    expect(Number(await balanceOf('tenant')) - tenantBefore).toBe(0)
  })

  it('cannot be refunded after it was charged back, and what is left can', async () => {
    const { payment, endToEndId } = await paidPix()
    await harness.pixControl(`/pix/${endToEndId}/med`, { valor: '70.00' })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '30.01' }))).toBe('refund_exceeds_payment')
    await orderRefund(harness, payment)
    await untilRefunded(harness, payment)
    expect((await payoutsOf(payment)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error' })
    expect(await outcomeOf(orderRefund(harness, payment))).toBe('refund_exceeds_payment')
  })

  it("is seen where somebody has refunded it in the provider's dashboard", async () => {
    const { payment, endToEndId } = await paidPix()
    await harness.pixControl(`/pix/${endToEndId}/return`, { valor: '25.00' })
    await untilToldOf(harness, endToEndId, 2)
    await harness.runJobs()
    expect(await refundsOf(harness, payment)).toMatchObject([{ amount: '25.00', status: 'succeeded', reason: null }])
    expect((await payoutsOf(payment)).map(({ amount }) => amount)).toEqual(['8.302584', '5.535056'])
    expect(await outcomeOf(orderRefund(harness, payment, { amount: '75.01' }))).toBe('refund_exceeds_payment')
    await orderRefund(harness, payment)
    await untilRefunded(harness, payment)
    expect(await presentOf(harness, payment)).toMatchObject({ refundedAmount: '100', dataError: { code: 'refunded' } })
  })
})

describe('npm run ledger -- refund-reserve', () => {
  it('sets a share of what comes aside, which a refund takes up again', async () => {
    const reserve = (percent: string) =>
      runLedger(harness, 'refund-reserve', '--tenant', harness.tenant.id, '--percent', percent)
    expect(await reserve('51')).toBe(2)
    expect(await reserve('5')).toBe(0)
    const before = Number(await balanceOf('tenant:refunds'))
    const { payment } = await paidPix()
    expect(await reserve('0')).toBe(0)
    expect(Number(await balanceOf('tenant:refunds')) - before).toBe(-5)
    expect((await payoutsOf(payment)).map(({ amount, withheld }) => [amount, withheld])).toEqual([
      ['10.516606', '0.553505'],
      ['7.011071', '0.369003'],
    ])
    await orderRefund(harness, payment)
    await untilRefunded(harness, payment)
    expect(Number(await balanceOf('tenant:refunds'))).toBe(before)
    expect(await presentOf(harness, payment)).toMatchObject({ refundedAmount: '100', dataError: { code: 'refunded' } })
  })
})

describe('npm run ledger -- fund-refunds', () => {
  it('books what came in once per reference, and says what is wrong', async () => {
    await paidPix()
    const tenantId = harness.tenant.id
    const before = Number(await balanceOf('tenant:refunds'))
    const first = await fundRefunds(harness.databaseUrl, tenantId, '12.50', 'bank-1')
    const { booked, balance } = JSON.parse(first.text) as { booked: boolean; balance: string }
    expect([first.code, booked, Number(balance)]).toEqual([0, true, 12.5 - before])
    expect((await fundRefunds(harness.databaseUrl, tenantId, '12.50', 'bank-1')).code).toBe(1)
    expect(Number(await balanceOf('tenant:refunds'))).toBe(before - 12.5)
    expect((await fundRefunds(harness.databaseUrl, tenantId, '12.5', 'bank-1')).code).toBe(1)
    const other = await fundRefunds(harness.databaseUrl, tenantId, '12.51', 'bank-1')
    expect([other.code, other.text]).toEqual([
      2,
      expect.stringMatching(/^--amount is another .* 12\.5 BRL were booked/),
    ])
    expect(Number(await balanceOf('tenant:refunds'))).toBe(before - 12.5)
    for (const amount of ['0', '1.001', 'much']) {
      const { code, text } = await fundRefunds(harness.databaseUrl, tenantId, amount, 'bank-2')
      expect([code, text]).toEqual([2, expect.stringContaining('--amount')])
    }
  })
})
