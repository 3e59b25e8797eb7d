import { describe, expect, it } from 'vitest'
import { ProviderError, type ProviderErrorKind } from '../../../../kernel/provider-error.js'
import { runDueJobs } from '../../../../test/harness/job-runner.js'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { until } from '../../../../test/harness/until.js'
import { balanceIn } from '../../fixtures/books.js'
import { cardPayment, chargeIdOf, payByCard } from '../../fixtures/card-payments.js'
import { chargeOf } from '../../fixtures/pix-payments.js'
import {
  orderRefund,
  receiptOf,
  refundedAtProcessor,
  refundedRails,
  refundsOf,
  untilRefunded,
} from '../../fixtures/refunds.js'
import { paymentJobs } from '../../jobs.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import { REFUND_ID_TAKEN, type ProcessorAdapter, type RefundOrder } from '../../rails/processor-adapter.js'
import type { Rail } from '../../rails/rail.js'
import type { Payment } from '../../store/payment.entity.js'
import { syncCharge } from '../charges/sync-charge.js'

const harness = await startPaymentsHarness()

const failure = (kind: ProviderErrorKind, providerCode?: string) =>
  new ProviderError({ provider: 'test', kind, retryable: false, message: `a ${kind}`, providerCode })

/** The rails, of which one has a provider that does some things otherwise. */
function withAdapter(name: string, changes: Partial<ProcessorAdapter>): readonly Rail[] {
  return harness.deps.rails.map((rail) =>
    rail.kind === 'charge' && rail.name === name ? { ...rail, adapter: { ...rail.adapter, ...changes } } : rail,
  )
}

/** The provider's callback may tell of a refund first: what was told of it is taken back at its next try. */
function untilClosed(told: () => Promise<readonly unknown[]>): Promise<unknown> {
  return until('what was told is taken back', async () => {
    await harness.goOn(60)
    return (await told()).length === 0
  })
}

/** A provider that does not answer the first try of a refund, which is at work there, and refuses the next one for that. */
function slowProvider(name: string, failures = [failure('timeout'), failure('declined')]) {
  const tries: RefundOrder[] = []
  const rails = withAdapter(name, {
    refund: (order) => {
      tries.push(order)
      return Promise.reject(failures[tries.length - 1] ?? failures.at(-1) ?? failure('declined'))
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
      const [refund] = await refundsOf(harness, payment)
      const subjects = [refund?.id, await receiptOf(harness, refund)]
      const told = async () => (await harness.deps.alerts.list()).filter(({ subject }) => subjects.includes(subject))
      expect(await told()).toMatchObject([{ kind: 'return_refused' }])
      await orderRefund(harness, payment, { amount: '12.34' })
      await untilRefunded(harness, payment)
      await untilClosed(told)
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

  it.each(rail === 'pix' ? (['auth', 'not_found', 'conflict'] as const) : (['auth', 'not_found'] as const))(
    'waits where that is no verdict (%s), and an operator is told until it is made',
    async (kind) => {
      const { payment, gone } = await pay()
      const rails = withAdapter(rail, { refund: () => Promise.reject(failure(kind)) })
      const refund = await orderRefund(harness, payment, { amount: '12.34' })
      const subject = await receiptOf(harness, refund)
      const told = async () => (await harness.deps.alerts.list()).filter((alert) => alert.subject === subject)
      await runDueJobs(harness.db.pool, paymentJobs({ ...harness.deps, rails }))
      expect((await refundsOf(harness, payment)).map(({ status }) => status)).toEqual(['pending'])
      expect(await told()).toMatchObject([{ kind: 'return_refused', details: `a ${kind}` }])
      await untilRefunded(harness, payment)
      expect(await gone()).toEqual(['12.34'])
      await untilClosed(told)
    },
  )
})

describe('a refund by card whose id the processor knows from another request', () => {
  const taken = failure('conflict', REFUND_ID_TAKEN)

  /** A payment of which somebody has refunded as much in the processor's dashboard before it was ordered. */
  const ordered = async () => {
    const payment = await payByCard(harness, await cardPayment(harness))
    await harness.cardControl(`/charges/${chargeIdOf(payment)}/refund`, { amount: 1_234 })
    const card = chargeRailOf(harness.deps, 'card')
    if (card) await syncCharge(harness.deps, card, await chargeOf(harness, payment))
    const { id } = await orderRefund(harness, payment, { amount: '12.34' })
    return { payment, id }
  }
  const statusesOf = async (payment: Payment) => (await refundsOf(harness, payment)).map(({ status }) => status)

  it.each([
    ['after a try of ours that may be at work', [failure('timeout'), taken]],
    ['as far as its answer may mean that, which names no id', [failure('conflict')]],
  ])('is not sent again and not taken for done, %s', async (_when, failures) => {
    const { payment, id } = await ordered()
    const provider = slowProvider('card', failures)
    for (let sent = 0; sent < failures.length; sent += 1) await provider.goOn(30)
    expect(await statusesOf(payment)).toEqual(['succeeded', 'pending'])
    const alerts = await harness.deps.alerts.list()
    const told = alerts.find(({ kind, subject }) => kind === 'return_in_doubt' && subject === id)
    expect(told?.details).toMatch(/it is not sent again$/)
    await provider.goOn(25 * 3_600)
    expect(provider.tries).toHaveLength(failures.length)
    expect(await statusesOf(payment)).toEqual(['succeeded', 'failed'])
    expect(await refundedAtProcessor(harness, payment)).toBe(1_234)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})
