import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import { balanceIn } from '../../fixtures/books.js'
import { orderRefund, refundedRails, refundsOf, untilRefunded } from '../../fixtures/refunds.js'
import { paymentJobs } from '../../jobs.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import type { ProcessorAdapter, RefundOrder } from '../../rails/processor-adapter.js'
import type { Rail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'

const harness = await startPaymentsHarness()

const failure = (kind: 'timeout' | 'declined') =>
  new ProviderError({ provider: 'test', kind, retryable: false, message: `a ${kind}` })

/** The rails, of which one has a provider that does some things otherwise. */
function withAdapter(name: string, changes: Partial<ProcessorAdapter>): readonly Rail[] {
  return harness.deps.rails.map((rail) =>
    rail.kind === 'charge' && rail.name === name ? { ...rail, adapter: { ...rail.adapter, ...changes } } : rail,
  )
}

/** A provider that does not answer the first try of a refund, which is at work there, and refuses the next one for that. */
function slowProvider(name: string) {
  const tries: RefundOrder[] = []
  const rails = withAdapter(name, {
    refund: (order) => {
      tries.push(order)
      return Promise.reject(failure(tries.length === 1 ? 'timeout' : 'declined'))
    },
  })
  const goOn = async (seconds: number): Promise<void> => {
    await harness.advance(seconds)
    await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails }))
  }
  /** The first try comes to its end at last. */
  const carryOut = async (): Promise<void> => {
    const [first] = tries
    if (first) await chargeRailOf(harness.deps, name)?.adapter.refund(first)
  }
  return { tries, goOn, carryOut }
}

describe.each(refundedRails(harness))(
  'a refund by %s that is refused after a try that was not answered',
  (rail, pay) => {
    const statusesOf = async (payment: Payment) => (await refundsOf(harness, payment)).map(({ status }) => status)
    const refused = async () => {
      const { payment, gone } = await pay()
      const provider = slowProvider(rail)
      await orderRefund(harness, payment, { amount: '12.34' })
      const before = await balanceIn(harness.deps, 'tenant:refunds', 'BRL')
      await provider.goOn(1)
      await provider.goOn(30)
      expect(provider.tries).toHaveLength(2)
      expect(await statusesOf(payment)).toEqual(['pending'])
      expect(await balanceIn(harness.deps, 'tenant:refunds', 'BRL')).toBe(before)
      return { payment, gone, provider }
    }

    it('is done where the provider shows that it went back after all, and is sent no more', async () => {
      const { payment, gone, provider } = await refused()
      await provider.goOn(60)
      await provider.carryOut()
      await until('the refund is done', async () => {
        await provider.goOn(10)
        return (await statusesOf(payment))[0] !== 'pending'
      })
      expect(await statusesOf(payment)).toEqual(['succeeded'])
      expect(provider.tries).toHaveLength(2)
      expect(await gone()).toEqual(['12.34'])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    })

    it('has failed once the provider shows nothing of it for ten minutes, and can be ordered again', async () => {
      const { payment, gone, provider } = await refused()
      await provider.goOn(300)
      await provider.goOn(240)
      expect(await statusesOf(payment)).toEqual(['pending'])
      await provider.goOn(180)
      expect(await statusesOf(payment)).toEqual(['failed'])
      expect(provider.tries).toHaveLength(2)
      await orderRefund(harness, payment, { amount: '12.34' })
      await untilRefunded(harness, payment)
      expect(await statusesOf(payment)).toEqual(['failed', 'succeeded'])
      expect(await gone()).toEqual(['12.34'])
      expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
    })

    it('is not given up while the provider does not answer what became of it', async () => {
      const { payment, provider } = await refused()
      const away = withAdapter(rail, { retrieve: () => Promise.reject(failure('timeout')) })
      await harness.advance(1_200)
      await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails: away }))
      expect(await statusesOf(payment)).toEqual(['pending'])
      await provider.carryOut()
      expect((await untilRefunded(harness, payment)).map(({ status }) => status)).toEqual(['succeeded'])
    })
  },
)

describe.each(refundedRails(harness))('a refund by %s that is refused at the first try', (rail, pay) => {
  it('has failed at once', async () => {
    const { payment } = await pay()
    const rails = withAdapter(rail, { refund: () => Promise.reject(failure('declined')) })
    await orderRefund(harness, payment, { amount: '12.34' })
    await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails }))
    expect((await refundsOf(harness, payment)).map(({ status }) => status)).toEqual(['failed'])
  })
})
