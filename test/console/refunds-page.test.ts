import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { assertPagesReadable, openAsOwner, type OpenedConsole } from '../harness/console-page.js'
import { passTime, postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { until } from '../harness/until.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
const { tenant } = harness
usesBrowser()

const order = await tenant.createOrder(cardTerms(['rp_shop0001', 'rp_partner2']))

const pixOrder = await tenant.createOrder({
  payment_method_allowed: { pixcrypto: true },
  split_payment_config: [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100 }],
})

/** The row of a payment's dispute: the tenant may have others. */
function disputeOf({ page }: OpenedConsole, paymentId: string): Locator {
  const rows = page.locator('[data-test="dispute-list"] [data-test="row"]')
  return rows.filter({ has: page.locator(`a[href$="/payments/${paymentId}"]`) })
}

/** A dispute that is won is no event of its payment: who looks again sees it. */
async function untilWon({ goTo, part }: OpenedConsole, dispute: Locator): Promise<void> {
  await until('the dispute is won', async () => {
    await goTo('/refunds')
    await part('dispute-list').waitFor()
    return (await dispute.locator('[data-status="WON"]').count()) === 1
  })
}

/** A payment that a card has paid. @returns its id, and the id of its charge at the processor */
async function paidByCard(): Promise<{ id: string; charge: string }> {
  const id = await tenant.payByCard(order)
  const { charges } = (await tenant.statusOf(id))['global_payment_data'] as { charges: { id: string }[] }
  return { id, charge: charges[0]?.id ?? '' }
}

describe.skipIf(noBrowser)(`refunds and disputes at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are listed over all payments, come by themselves, and lead to their payments', async () => {
    const [refunded, disputed] = [await paidByCard(), await paidByCard()]
    const opened = await openAsOwner(harness, '/refunds')
    const { page, part, goTo, assertClean } = opened
    await part('no-disputes').waitFor()
    await part('no-refunds').waitFor()
    await part('no-returns').waitFor()
    const body = { amount: '10.00' }
    const made = await tenant.post(`/payment/${refunded.id}/refund`, body)
    await goTo('/refunds')
    const refund = page.locator(`[data-test="refund-list"] [data-id="${String(made.body.data?.['refund_id'])}"]`)
    await refund.getByText('R$10.00').waitFor()
    await postJson(`${harness.cardUrl}/sandbox/charges/${disputed.charge}/chargeback`, {})
    const dispute = disputeOf(opened, disputed.id)
    await dispute.locator('[data-status="TAKEN_BACK"]').waitFor()
    expect(await page.locator('[data-test="dispute-list"] [data-test="row"]').count()).toBe(1)
    await assertPagesReadable(opened, { '/refunds': 'dispute-list' })
    await dispute.locator('[data-test="open-payment"]').click()
    await part('history').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/payments/${disputed.id}`)
    assertClean()
  })

  it('say of a dispute that it was won, in both languages', async () => {
    const { id, charge } = await paidByCard()
    const opened = await openAsOwner(harness, '/refunds')
    const { part, goTo, assertClean } = opened
    await postJson(`${harness.cardUrl}/sandbox/charges/${charge}/chargeback`, {})
    const dispute = disputeOf(opened, id)
    await dispute.locator('[data-status="TAKEN_BACK"]').waitFor()
    // An older answer of the processor would be no evidence.
    await passTime(harness, 2 * 3_600)
    await postJson(`${harness.cardUrl}/sandbox/charges/${charge}/win`, {})
    // The processor tells nobody: the nightly comparison finds it.
    await harness.sql(`select kernel.add_job('reconcile', '{"rail":"card"}'::json)`)
    await untilWon(opened, dispute)
    await dispute.locator('[data-status="WON"]').getByText('Won').waitFor()
    await goTo(`/payments/${id}`)
    await part('history').getByText('A dispute was won; the money is yours').waitFor()
    await goTo('/refunds')
    await part('language').selectOption('pt')
    await dispute.locator('[data-status="WON"]').getByText('Vencida').waitFor()
    await dispute.locator('[data-column="Motivo"]').getByText('Chargeback').waitFor()
    assertClean()
  })

  it('show a dispute that is not decided yet, by itself, and then how it was decided', async () => {
    const { id, charge } = await tenant.pixOfOrder(pixOrder)
    const { endToEndId } = await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    await tenant.untilStatus(id, 'success')
    const opened = await openAsOwner(harness, '/refunds', { locale: 'pt-BR' })
    const { part, assertClean } = opened
    await part('refund-list').waitFor()
    await postJson(`${harness.pixUrl}/sandbox/pix/${String(endToEndId)}/med`, { held: true })
    const dispute = disputeOf(opened, id)
    await dispute.locator('[data-status="PENDING"]').getByText('Não decidida').waitFor()
    await dispute.getByText('Devolução especial do Pix: fraude').waitFor()
    await postJson(`${harness.pixUrl}/sandbox/returns`, { mode: 'refuse' })
    await untilWon(opened, dispute)
    await dispute.locator('[data-status="WON"]').getByText('Vencida').waitFor()
    assertClean()
  })

  it('have beside them what came twice and goes back by itself: how much, why and where it stands', async () => {
    await postJson(`${harness.pixUrl}/sandbox/returns`, { mode: 'settle' })
    const { id, charge } = await tenant.pixOfOrder(pixOrder)
    const pay = `${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`
    await postJson(pay)
    await tenant.untilStatus(id, 'success')
    const opened = await openAsOwner(harness, '/refunds')
    const { page, part, assertClean } = opened
    await part('no-returns').waitFor()
    await postJson(pay, { again: true })
    const returned = page.locator('[data-test="return-list"] [data-test="row"]')
    await returned.locator('[data-status="SUCCEEDED"]').waitFor()
    expect(await returned.count()).toBe(1)
    expect(await returned.innerText()).toMatch(/R\$[\d.]+/)
    await returned.getByText('It was paid twice').waitFor()
    expect(await page.locator('[data-test="refund-list"]').locator(`a[href$="/payments/${id}"]`).count()).toBe(0)
    await assertPagesReadable(opened, { '/refunds': 'return-list' })
    await part('language').selectOption('pt')
    await returned.getByText('Foi pago duas vezes').waitFor()
    await returned.locator('[data-test="open-payment"]').click()
    await part('returned').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/payments/${id}`)
    assertClean()
  })

  it('of another tenant are not shown', async () => {
    await paidByCard()
    const { part } = await openAsOwner(harness, '/refunds', { of: await harness.dashboard.newTenant() })
    await part('no-disputes').waitFor()
    await part('no-refunds').waitFor()
    await part('no-returns').waitFor()
  })
})
