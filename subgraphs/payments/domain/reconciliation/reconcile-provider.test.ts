import { describe, expect, it } from 'vitest'
import { RECEIVERS } from '../../../../test/harness/chains.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { balanceIn } from '../../fixtures/books.js'
import { cardInput, cardPayment, chargeIdOf, payByCard, RECIPIENTS } from '../../fixtures/card-payments.js'
import { chargedPayment, presentOf } from '../../fixtures/pix-payments.js'
import { refundsOf } from '../../fixtures/refunds.js'
import { createCardClient } from '../../rails/card/client.js'
import { orderBody } from '../../rails/card/order-request.js'
import { reconcile } from './reconcile-jobs.js'
import { resolveDifference } from './resolve-difference.js'

const harness = await startPaymentsHarness()
const { deps } = harness
// Whatever these providers want to tell, nobody hears it.
await harness.pixControl('/callbacks', { mode: 'drop' })
harness.card.setCallbackUrl('http://127.0.0.1:1/')

const open = async (scope: string) =>
  (
    await harness.query('select kind from payments.difference where scope = $1 and closed_at is null order by kind', [
      scope,
    ])
  ).map(({ kind }) => String(kind))
const compareBooks = async (rail: string): Promise<string[]> => {
  await reconcile(deps, { rail })
  await harness.runJobs()
  return open(`provider:${rail}`)
}
const balanceOf = (account: string) => balanceIn(deps, account, 'BRL')
const alerts = async () => (await deps.alerts.list()).filter(({ kind }) => kind === 'books_differ')

const QUARTER_OF_AN_HOUR_SECONDS = 15 * 60

/** A charge that is paid just now. */
async function paidJustNow() {
  const { payment, txid } = await chargedPayment(harness)
  const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
  return { payment, endToEndId: String(endToEndId) }
}

/** A charge that was paid, though no callback told of it, and no list was read since. */
async function paidUnheard() {
  const paid = await paidJustNow()
  await harness.advance(QUARTER_OF_AN_HOUR_SECONDS + 1)
  return paid
}

describe('the reconciliation with the Pix provider', () => {
  it('finds money that nobody told of, books it, and closes what it found', async () => {
    const { payment } = await paidUnheard()
    expect(await compareBooks('pix')).toEqual(['missing_receipt'])
    expect(await alerts()).toHaveLength(1)
    expect(await balanceOf('provider:pix')).toBe('100')
    expect((await presentOf(harness, payment)).globalPaymentData).toMatchObject({ status: 'CONCLUIDA' })
    expect(await compareBooks('pix')).toEqual([])
    expect(await alerts()).toEqual([])
  })

  it('books money that comes while it looks, and tells nobody that it was missing', async () => {
    const { payment } = await paidJustNow()
    expect(await compareBooks('pix')).toEqual([])
    expect(await alerts()).toEqual([])
    expect((await presentOf(harness, payment)).globalPaymentData).toMatchObject({ status: 'CONCLUIDA' })
  })

  it('finds a refund that was made in the dashboard, also months later, and books it', async () => {
    const { payment, endToEndId } = await paidUnheard()
    await compareBooks('pix')
    await harness.advance(80 * 86_400)
    await harness.pixControl(`/pix/${endToEndId}/return`, { valor: '40.00' })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await compareBooks('pix')).toEqual(['unbooked_refund'])
    expect(await refundsOf(harness, payment)).toMatchObject([{ amount: '40.00', status: 'succeeded' }])
    expect(await compareBooks('pix')).toEqual([])
  })

  it('finds a tariff that the provider has changed, and books what it changes', async () => {
    const { payment, endToEndId } = await paidUnheard()
    const cost = async () => Number(await balanceOf('cost:pix'))
    const before = await cost()
    await compareBooks('pix')
    // It says so only later, which is no difference.
    await harness.pixControl(`/pix/${endToEndId}/fee`, { tarifa: '0.99' })
    expect(await compareBooks('pix')).toEqual([])
    expect((await cost()) - before).toBeCloseTo(0.99, 6)
    for (const [tarifa, kept] of [
      ['1.49', 1.49],
      ['0.50', 0.5],
    ] as const) {
      await harness.pixControl(`/pix/${endToEndId}/fee`, { tarifa })
      expect(await compareBooks('pix')).toEqual(['wrong_fee'])
      expect((await cost()) - before).toBeCloseTo(kept, 6)
      expect(await compareBooks('pix')).toEqual([])
    }
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
  })

  it('finds money that came to the key without a charge, until it has gone back', async () => {
    const before = await balanceOf('provider:pix')
    const { endToEndId } = await harness.pixControl('/pix', { valor: '12.50' })
    await compareBooks('pix')
    expect(await open('suspense')).toEqual(['unmatched_money'])
    expect(await balanceOf('suspense:pix')).toBe('-12.5')
    await harness.pixControl(`/pix/${String(endToEndId)}/return`)
    await new Promise((resolve) => setTimeout(resolve, 150))
    await compareBooks('pix')
    expect(await open('suspense')).toEqual([])
    expect(await balanceOf('suspense:pix')).toBe('0')
    expect(await balanceOf('provider:pix')).toBe(before)
  })

  it('is told again where somebody has closed the alert and not what differs, and no more once that is explained', async () => {
    const { endToEndId } = await harness.pixControl('/pix', { valor: '7.00' })
    const subject = `unmatched_money:pix:${String(endToEndId)}`
    const alertOf = async () => (await alerts()).find((alert) => alert.subject === subject)
    await compareBooks('pix')
    await harness.advance(60)
    await compareBooks('pix')
    expect(await alertOf()).toMatchObject({ count: 1 })
    await deps.alerts.close((await alertOf())?.id ?? '', 'ana', 'seen')
    expect(await alertOf()).toBeUndefined()
    await compareBooks('pix')
    expect(await alertOf()).toMatchObject({ closedAt: null })
    const [found] = await harness.query('select id::text from payments.difference where subject = $1', [
      `pix:${String(endToEndId)}`,
    ])
    await resolveDifference(deps, { id: String(found?.['id']), reason: 'ours', by: 'ana', as: 'owner' })
    await compareBooks('pix')
    expect(await alertOf()).toBeUndefined()
  })

  it('finds what our books say of money that the provider does not show, or shows with another amount', async () => {
    const { endToEndId } = await paidUnheard()
    await compareBooks('pix')
    await compareBooks('pix')
    await harness.query(`update payments.receipt set amount = '101' where id = $1`, [endToEndId])
    await harness.query(
      `insert into payments.receipt select tenant_id, rail, 'E' || repeat('9', 31), charge_id, payment_id,
        currency, amount, received_at, 'returned', 'paid_twice', created_at from payments.receipt where id = $1`,
      [endToEndId],
    )
    expect(await compareBooks('pix')).toEqual(['unknown_receipt', 'wrong_amount'])
    await harness.query(`update payments.receipt set amount = '100' where id = $1`, [endToEndId])
    await harness.query(`delete from payments.receipt where id = 'E' || repeat('9', 31)`)
    expect(await compareBooks('pix')).not.toContain('wrong_amount')
  })

  it('finds a refund that is booked and was not made', async () => {
    const { endToEndId } = await paidUnheard()
    await compareBooks('pix')
    await harness.query(
      `insert into payments.receipt_return (tenant_id, rail, receipt_id, id, amount, status, forced, reason, origin, created_at)
        values ($1, 'pix', $2, 'never', '5', 'done', false, 'ORIGINAL', 'provider', now())`,
      [harness.tenant.id, endToEndId],
    )
    expect(await compareBooks('pix')).toContain('missing_refund')
    await harness.query(`delete from payments.receipt_return where id = 'never'`)
    expect(await compareBooks('pix')).not.toContain('missing_refund')
  })
})

describe('the reconciliation with the card processor', () => {
  const client = createCardClient({ settings: harness.railSettings.card, timeoutMs: 5_000, log: harness.options.log })

  it('finds a refund that was made in the dashboard, in part, and books it', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await compareBooks('card')
    expect(await open('provider:card')).toEqual([])
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/refund`, { amount: 2_500 })
    expect(await compareBooks('card')).toEqual(['unbooked_refund'])
    expect(await refundsOf(harness, payment)).toMatchObject([{ amount: '25', status: 'succeeded' }])
    expect(await compareBooks('card')).toEqual([])
    expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
  })

  it('follows money that came for no charge here: refunds in parts, a chargeback, and that it was won', async () => {
    const before = await balanceOf('provider:card')
    const input = cardInput(await cardPayment(harness))
    const body = orderBody({ reference: 'elsewhere', amount: '80', lifeSeconds: 60, input })
    const { charges } = (await client.createOrder(body, 'elsewhere')) as { charges: { id: string }[] }
    const act = async (what: string, amount?: number): Promise<string> => {
      await harness.cardControl(`/charges/${charges[0]?.id}/${what}`, amount === undefined ? {} : { amount })
      await compareBooks('card')
      await compareBooks('card')
      return balanceOf('suspense:card')
    }
    await compareBooks('card')
    expect(await open('suspense')).toEqual(['unmatched_money'])
    expect(await act('refund', 1_000)).toBe('-70')
    expect(await act('refund', 2_000)).toBe('-50')
    expect(await act('chargeback')).toBe('0')
    expect(await open('suspense')).toEqual([])
    expect(await act('win')).toBe('-50')
    expect(await open('suspense')).toEqual(['unmatched_money'])
    expect(await act('refund')).toBe('0')
    expect(await open('suspense')).toEqual([])
    expect(await balanceOf('provider:card')).toBe(before)
  })

  it.each([
    ['to crypto, which we bear', 'cardcrypto', [{ receiverWallet: RECEIVERS[0], receiverPercent: 100 }], 100],
    ['in fiat, which those bear who are liable', 'cardfiat', RECIPIENTS, 0],
  ])(
    'books a chargeback of a card %s, that it was won, and that it was lost after all',
    async (_what, type, split, ours) => {
      const payment = await payByCard(harness, await cardPayment(harness, { splitPaymentConfig: split }), {
        transactionType: type,
      })
      // What the processor keeps of it is booked before.
      await compareBooks('card')
      const before = await balanceOf('provider:card')
      const chargedBack = async () => {
        await harness.cardControl(`/charges/${chargeIdOf(payment)}/chargeback`)
        expect(await compareBooks('card')).toEqual(['unbooked_refund'])
        expect(Number(await balanceOf('provider:card'))).toBeCloseTo(Number(before) - ours, 6)
        await harness.advance(45 * 86_400)
      }
      await chargedBack()
      await harness.cardControl(`/charges/${chargeIdOf(payment)}/win`)
      expect(await compareBooks('card')).toEqual(['missing_refund'])
      expect(await balanceOf('provider:card')).toBe(before)
      expect((await deps.alerts.list()).map(({ kind }) => kind)).toContain('chargeback_won')
      await harness.advance(86_400)
      expect(await compareBooks('card')).toEqual([])
      await chargedBack()
      expect(await compareBooks('card')).toEqual([])
      expect(await deps.ledger.findDiscrepancies({ isAll: true })).toEqual([])
    },
  )

  it('reads lists to their end, also where a page is shorter than was asked for', async () => {
    const input = cardInput(await cardPayment(harness))
    for (let count = 1; count <= 40; count += 1) {
      const reference = `many${count}`
      await client.createOrder(orderBody({ reference, amount: '1', lifeSeconds: 60, input }), reference)
    }
    await compareBooks('card')
    const found = await harness.query(
      `select count(*)::int as count from payments.difference where kind = 'unmatched_money' and actual = '1'`,
    )
    expect(found).toEqual([{ count: 40 }])
  })
})
