import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { chargedPayment, presentOf } from '../../fixtures/pix-payments.js'
import { receiptsOf } from '../../fixtures/rows.js'
import { chargeRailOf } from '../../rails/find-rail.js'
import type { ChargeRail } from '../../rails/rail.js'
import { watchCharge } from '../charges/watch-charge.js'
import { compareReceived } from './compare-received.js'
import { reconcileProvider } from './reconcile-provider.js'
import { syncReceived } from './sync-received.js'

const harness = await startPaymentsHarness()
const { deps } = harness
const pix = chargeRailOf(deps, 'pix') as ChargeRail
await harness.pixControl('/callbacks', { mode: 'drop' })

/** How many calls about single charges the provider got, and how many lists it was asked for. */
function countCalls(): { charges: number; lists: number; deps: typeof deps } {
  const counts = { charges: 0, lists: 0 }
  const rails = deps.rails.map((rail) => {
    if (rail.kind !== 'charge' || rail.name !== 'pix') return rail
    const { adapter } = rail
    return {
      ...rail,
      adapter: {
        ...adapter,
        retrieve: (reference: string) => {
          counts.charges += 1
          return adapter.retrieve(reference)
        },
        listReceived: (window: Parameters<NonNullable<typeof adapter.listReceived>>[0]) => {
          counts.lists += 1
          return adapter.listReceived?.(window) ?? []
        },
      },
    }
  })
  return Object.assign(counts, { deps: { ...deps, rails } as typeof deps })
}

describe('asking a provider by lists', () => {
  it('finds what came without a callback, and what came for a charge that had expired', async () => {
    await syncReceived(deps)
    const [inTime, late] = [await chargedPayment(harness), await chargedPayment(harness)]
    await harness.goOn(60)
    await harness.pixControl(`/cob/${inTime.txid}/pay`)
    await syncReceived(deps)
    expect(await receiptsOf(harness, inTime.payment)).toEqual([{ outcome: 'accepted', reason: null }])
    await harness.goOn(3 * 86_400)
    expect(await presentOf(harness, late.payment)).toMatchObject({ status: 'error' })
    await harness.pixControl(`/cob/${late.txid}/pay`)
    await syncReceived(deps)
    expect(await receiptsOf(harness, late.payment)).toEqual([{ outcome: 'returned', reason: 'paid_late' }])
  })

  it('finds what was taken back weeks after, within the hour', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await syncReceived(deps)
    await harness.advance(6 * 86_400)
    await harness.pixControl(`/pix/${String(endToEndId)}/med`)
    await syncReceived(deps)
    expect(await presentOf(harness, payment)).toMatchObject({
      status: 'error',
      dataError: { code: 'charge_taken_back' },
    })
  })

  it('holds payouts while a bank wants the money back of which no callback told, and has not decided', async () => {
    const { payment, txid } = await chargedPayment(harness)
    const { endToEndId } = await harness.pixControl(`/cob/${txid}/pay`)
    await syncReceived(deps)
    await harness.pixControl(`/pix/${String(endToEndId)}/med`, { held: true })
    await harness.advance(3_600)
    await syncReceived(deps)
    expect(await deps.payouts.findAll(payment)).toMatchObject([{ state: 'held', holdReason: 'partly_taken_back' }])
    const [received] = (await pix.adapter.retrieve(txid))?.receivedPayments ?? []
    const record = await deps.charges.readByReceivedPayment('pix', String(endToEndId))
    expect(record && received && compareReceived(record, received)).toEqual({ differences: [], isNews: false })
  })

  it('reads all of it again after the provider was away', async () => {
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl('/faults', { mode: 'down' })
    await syncReceived(deps)
    await harness.pixControl('/faults', { mode: 'ok' })
    await harness.advance(2 * 86_400)
    await syncReceived(deps)
    expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'accepted', reason: null }])
  })

  it('asks for a charge by itself no more than twice, however long it waits', async () => {
    await harness.runJobs()
    const counted = countCalls()
    const { payment } = await chargedPayment(harness)
    let planned = 0
    const addJobNow: typeof deps.addJobNow = () => Promise.resolve(void (planned += 1))
    const job = { tenantId: payment.tenantId, chargeId: payment.chargeId ?? '' }
    await watchCharge({ ...counted.deps, addJobNow }, job)
    await harness.advance(16 * 60)
    await watchCharge({ ...counted.deps, addJobNow }, job)
    expect(counted.charges).toBe(2)
    expect(planned).toBe(1)
    await syncReceived(counted.deps)
    expect(counted.lists).toBeGreaterThan(0)
  })

  it('asks for a charge again soon where the provider did not answer, which the next list would find minutes later', async () => {
    await harness.runJobs()
    const { payment, txid } = await chargedPayment(harness)
    await harness.pixControl(`/cob/${txid}/pay`)
    await harness.pixControl('/faults', { mode: 'down' })
    await harness.goOn(16)
    expect(await receiptsOf(harness, payment)).toEqual([])
    await harness.pixControl('/faults', { mode: 'ok' })
    await harness.goOn(16)
    expect(await receiptsOf(harness, payment)).toEqual([{ outcome: 'accepted', reason: null }])
  })

  it('takes over what is others’ where the payouts of one cannot be planned, and tells of that one', async () => {
    await reconcileProvider(deps, pix)
    const before = new Set((await deps.alerts.list()).map(({ id }) => id))
    const charged = [await chargedPayment(harness), await chargedPayment(harness), await chargedPayment(harness)]
    const [first, switchedOff, last] = charged
    for (const { txid } of charged) await harness.pixControl(`/cob/${txid}/pay`)
    const setToken = (symbol: string) =>
      harness.query('update payments.payment set to_currency_symbol = $1 where id = $2', [
        symbol,
        switchedOff?.payment.id,
      ])
    // Its token was enabled when it was charged.
    await setToken('GONE')
    const startedAt = harness.clock.now().getTime()
    await syncReceived(deps)
    for (const one of [first, last])
      expect(await receiptsOf(harness, { id: one?.payment.id ?? '' })).toEqual([{ outcome: 'accepted', reason: null }])
    expect((await deps.treasuryBooks.syncedTo('received:pix'))?.getTime()).toBeGreaterThanOrEqual(startedAt)
    await reconcileProvider(deps, pix)
    await harness.runJobs()
    const told = async () =>
      (await deps.alerts.list()).flatMap(({ id, kind, subject }) => (before.has(id) ? [] : [`${kind} ${subject}`]))
    expect(await told()).toEqual([expect.stringContaining('books_differ missing_receipt:pix:')])
    await setToken('USDT')
    await syncReceived(deps)
    expect(await receiptsOf(harness, { id: switchedOff?.payment.id ?? '' })).toEqual([
      { outcome: 'accepted', reason: null },
    ])
    await reconcileProvider(deps, pix)
    expect(await told()).toEqual([])
  })
})
