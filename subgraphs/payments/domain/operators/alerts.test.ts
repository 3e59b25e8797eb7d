import { describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../../test/harness/settlement.js'
import { paidPayment, presentOf } from '../../fixtures/pix-payments.js'
import { alertJob } from '../../settlement/alert-job.js'
import { closeAlert } from './close-alert.js'
import { listAlerts } from './list-alerts.js'
import { operatorContext } from '../../../../test/harness/operator.js'
import { operatorOf } from '../../../../kernel/subgraph.js'

const harness = await startSettlementHarness()
const { deps } = harness
const ana = operatorOf(operatorContext('ana'))

const shownOf = async (state: 'open' | 'closed' | null, page: object = {}) =>
  (await listAlerts(deps, { state, ...page })).edges.map(({ node }) => node)
const numberOf = (alert: { id: string } | undefined) => Number(/^alert-(\d+)$/.exec(alert?.id ?? '')?.[1])

describe('an alert', () => {
  it('closes by itself once its cause is gone, and opens as another when it comes again', async () => {
    await harness.emptyTreasury()
    const { payment } = await paidPayment(harness)
    await harness.goOn(20)
    await deps.alerts.closeGone()
    const [open] = await shownOf('open')
    expect(open).toMatchObject({ kind: 'treasury_shortage', subject: 'polygon', closedAt: null })
    await harness.fundTreasury('1000')
    await harness.goOn(20)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'success' })
    await deps.alerts.closeGone()
    expect(await shownOf('open')).toEqual([])
    const [closed] = await shownOf('closed')
    expect(closed).toMatchObject({ id: open?.id, closedBy: null, closedAt: expect.anything() as unknown })
    await deps.alerts.raise({ kind: 'treasury_shortage', subject: 'polygon' })
    const [again] = await shownOf('open')
    expect(numberOf(again)).toBeGreaterThan(numberOf(open))
    expect(again?.count).toBe(1)
  })

  it('whose cause no row shows waits for an operator, who closes it once, for a reason', async () => {
    await deps.alerts.raise({ kind: 'forced_return', subject: 'cpayment', details: 'a chargeback' })
    await harness.advance(60)
    await deps.alerts.closeGone()
    const [open] = await shownOf('open')
    expect(open).toMatchObject({ kind: 'forced_return', closedAt: null })
    const id = open?.id ?? ''
    await expect(closeAlert(deps, ana, { id, reason: ' ' })).rejects.toMatchObject({
      errors: [{ field: 'reason', message: expect.any(String) as string }],
    })
    const ofAnother = id.replace('alert', 'difference')
    await expect(closeAlert(deps, ana, { id: ofAnother, reason: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await closeAlert(deps, ana, { id, reason: 'settled with the tenant' })).toMatchObject({
      id,
      closedBy: 'ana@example.com',
      reason: 'settled with the tenant',
    })
    await expect(closeAlert(deps, ana, { id, reason: 'again' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(closeAlert(deps, ana, { id: "1' or", reason: 'no id' })).rejects.toMatchObject({ code: 'not_found' })
    // What is told once only is not told again by who sees it still.
    await deps.alerts.raiseOnce({ kind: 'forced_return', subject: 'cpayment' })
    expect((await shownOf('open')).map(({ kind }) => kind)).not.toContain('forced_return')
  })

  it('says beside each other what is told once within ten seconds, and what is repeated once', async () => {
    const tell = (details: string) =>
      deps.addJobNow(alertJob({ kind: 'deposit_unexpected', subject: 'cpayment', details }))
    for (const details of ['4 USDT came on polygon', '5 USDT came on base', '4 USDT came on polygon']) {
      await tell(details)
      await harness.runJobs()
    }
    const [open] = await shownOf('open')
    expect(open).toMatchObject({ details: '4 USDT came on polygon; 5 USDT came on base', count: 2 })
    await harness.advance(11)
    await tell('9 USDT came on polygon')
    await harness.runJobs()
    expect((await shownOf('open'))[0]).toMatchObject({ details: '9 USDT came on polygon', count: 3 })
    await closeAlert(deps, ana, { id: open?.id ?? '', reason: 'shared out' })
  })

  it('comes page by page, the newest first, each once', async () => {
    const all = (await shownOf(null)).map(({ id }) => id)
    expect(all).toHaveLength(4)
    const paged: string[] = []
    for (let after: string | null = null; ;) {
      const { edges, pageInfo } = await listAlerts(deps, { first: 1, after })
      paged.push(...edges.map(({ node }) => node.id))
      if (!pageInfo.hasNextPage) break
      after = pageInfo.endCursor
    }
    expect(paged).toEqual(all)
    await expect(listAlerts(deps, { after: 'nowhere' })).rejects.toMatchObject({ code: 'validation_error' })
  })
})
