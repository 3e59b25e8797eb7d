import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { PaymentsDeps } from '../../context.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { Crash, crashingDeps, plansAt, runMortal } from '../../fixtures/crashing-deps.js'
import { orderRefund, refundedRails, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import { loseJobs } from '../../fixtures/rows.js'
import type { ProcessorAdapter } from '../../rails/processor-adapter.js'
import type { Payment } from '../../store/payment.entity.js'
import { refundPayment } from './refund-payment.js'

const harness = await startPaymentsHarness()

const ORDERING = plansAt('payments.change', 'refunds.order')
const SENDING = plansAt(
  'charges.markRefundSent',
  'adapter.refund',
  'adapter.retrieve',
  'payments.change',
  'ledger.book',
)

describe.each(refundedRails(harness))('a refund of a %s payment whose process dies', (_rail, pay) => {
  const order = (deps: PaymentsDeps, { id }: Payment) => {
    const idempotency = { key: `refund ${id}`, fingerprint: 'the same', onReplay: () => undefined }
    const tenant: Tenant = { ...harness.tenant, idempotency }
    return refundPayment(deps, tenant, { id, amount: '12.34' })
  }
  const expectOnce = async (payment: Payment, gone: () => Promise<string[]>) => {
    expect(await untilRefunded(harness, payment)).toMatchObject([{ amount: '12.34', status: 'succeeded' }])
    expect(await gone()).toEqual(['12.34'])
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  }

  it.each(ORDERING)('$side $atStep is ordered once, however often it is asked for', async (plan) => {
    const { payment, gone } = await pay()
    await expect(order(crashingDeps(harness.deps, plan).deps, payment)).rejects.toThrow(Crash)
    const made = await order(harness.deps, payment)
    expect(await order(harness.deps, payment)).toEqual(made)
    expect(await refundsOf(harness, payment)).toHaveLength(1)
    await expectOnce(payment, gone)
  })

  it.each(SENDING)('$side $atStep while it is sent goes back once', async (plan) => {
    const { payment, gone } = await pay()
    await order(harness.deps, payment)
    const mortal = crashingDeps(harness.deps, plan)
    await until(`the death at ${plan.atStep}`, async () => {
      await harness.advance(10)
      await runMortal(harness, mortal.deps)
      return mortal.steps.includes(plan.atStep)
    })
    await expectOnce(payment, gone)
  })

  it.each(plansAt('adapter.refund'))(
    '$side $atStep, and whose provider is not reached again for a day, goes back once',
    async (plan) => {
      const { payment, gone } = await pay()
      await order(harness.deps, payment)
      const mortal = crashingDeps(harness.deps, plan)
      await until('the death', async () => {
        await harness.advance(10)
        await runMortal(harness, mortal.deps)
        return mortal.steps.includes(plan.atStep)
      })
      // No worker runs meanwhile, and what the provider tells is lost.
      await loseJobs(harness, 'process-provider-event:%')
      await harness.advance(25 * 3_600)
      await expectOnce(payment, gone)
    },
  )
})

describe('a refund that was sent long ago', () => {
  it('is not sent again while the processor does not show its charge, and an operator is told', async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await orderRefund(harness, payment, { amount: '12.34' })
    const sent: string[] = []
    const blind: Partial<ProcessorAdapter> = {
      retrieve: () => Promise.resolve(undefined),
      refund: ({ providerRefundId, amount }) => {
        sent.push(amount)
        return Promise.resolve({ id: providerRefundId, amount, status: 'done', forced: false, reason: 'refund' })
      },
    }
    const rails = harness.deps.rails.map((rail) =>
      rail.kind === 'charge' ? { ...rail, adapter: { ...rail.adapter, ...blind } } : rail,
    )
    const runJobs = () => runMortal(harness, { ...harness.deps, rails })
    await runJobs()
    expect(sent).toEqual(['12.34'])
    await harness.advance(25 * 3_600)
    await runJobs()
    expect(sent).toEqual(['12.34'])
    const [row] = await harness.query('select receipt_id as id from payments.receipt_return order by created_at desc')
    const subjects = (await harness.deps.alerts.list()).filter(({ kind }) => kind === 'return_refused')
    expect(subjects.map(({ subject }) => subject)).toContain(row?.['id'])
    // Shown again, it is seen not to have gone back, and is sent.
    expect(await untilRefunded(harness, payment)).toMatchObject([{ amount: '12.34', status: 'succeeded' }])
    const open = (await harness.deps.alerts.list()).filter(({ closedAt }) => closedAt === null)
    expect(open.map(({ subject }) => subject)).not.toContain(row?.['id'])
  })
})
