import { describe, expect, it } from 'vitest'
import { findLastingPort } from '../../sandbox/processes/free-port.js'
import { assertReadable } from '../harness/axe.js'
import { noBrowser, usesBrowser, type OpenedPage } from '../harness/browser.js'
import { openAsOwner } from '../harness/console-page.js'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardTerms } from '../harness/rest-cards.js'
import { until } from '../harness/until.js'

// Pix calls back to the address that the product says it has.
const harness = await startHarness({ PORT: String(await findLastingPort()) })
const { tenant } = harness
usesBrowser()

const PIX = {
  payment_method_allowed: { pixcrypto: true },
  split_payment_config: [{ receiver_wallet: harness.chain.newReceiver(), receiver_percent: 100 }],
}
/** What opening a payment takes of the 600 that a person has in a minute: it was 67 and more. */
const OPENING_MOST = 10

/** A payment that a Pix has paid. @returns its id, and the Pix's at its bank */
async function paidByPix(terms: object): Promise<{ id: string; endToEndId: string }> {
  const { id, charge } = await tenant.pixOfOrder(await tenant.createOrder({ ...PIX, ...terms }))
  await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
  await tenant.untilStatus(id, 'success')
  const answer = await fetch(`${harness.pixUrl}/sandbox/cob`)
  const { cobs } = (await answer.json()) as { cobs: { txid: string; pix: { endToEndId: string }[] }[] }
  return { id, endToEndId: cobs.find(({ txid }) => txid === charge.txid)?.pix[0]?.endToEndId ?? '' }
}

/** What each answer of the graph to the page says that was counted for it before it ran. */
function costsOf({ page }: OpenedPage): number[] {
  const costs: number[] = []
  page.on('response', (response) => {
    if (!response.url().endsWith('/graphql')) return
    void response.text().then(
      (text) => costs.push(Number(/"requested":(\d+)/.exec(text)?.[1] ?? 0)),
      () => undefined,
    )
  })
  return costs
}

describe.skipIf(noBrowser)(`the sums on a payment's page${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('say what was charged where the price is in another currency, and nothing twice where it is not', async () => {
    const dollars = await paidByPix({ from_currency_symbol: 'USD', amount_from: '1234.50' })
    const { part, goTo, assertClean } = await openAsOwner(harness, `/payments/${dollars.id}`)
    await part('money').getByText('Charged').waitFor()
    expect(await part('money').innerText()).toMatch(/US\$1,234\.50\s+Charged\s+R\$[\d,]+\.\d\d/)
    await goTo(`/payments/${(await paidByPix({ amount_from: '149.90' })).id}`)
    await part('money').waitFor()
    expect(await part('money').getByText('Charged').count()).toBe(0)
    assertClean()
  })

  it('tell of a dispute, of what is gone in all, and of what is left to refund, until nothing is', async () => {
    const { id, endToEndId } = await paidByPix({ amount_from: '149.90' })
    const { page, part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    await part('money').getByText('Nothing was refunded.').waitFor()
    await postJson(`${harness.pixUrl}/sandbox/pix/${endToEndId}/med`, { valor: '50.00' })
    await part('disputes').locator('[data-status="TAKEN_BACK"]').waitFor()
    await part('gone').getByText('Gone back in all: R$50.00').waitFor()
    expect(await part('money').getByText('Nothing was refunded.').count()).toBe(0)
    await part('refund-payment').click()
    await page.getByText('Left to refund: R$99.90.').waitFor()
    await part('refund-amount').fill('140')
    await part('refund-do').click()
    await part('refusal').getByText('Left to refund: R$99.90.').waitFor()
    await page.keyboard.press('Escape')
    await postJson(`${harness.pixUrl}/sandbox/pix/${endToEndId}/return`, { valor: '99.90' })
    await part('gone').getByText('Gone back in all: R$149.90').waitFor()
    await part('refunds').getByText('Made at the provider').waitFor()
    await until('nothing is left to refund', async () => (await part('refund-payment').count()) === 0)
    await part('language').selectOption('pt')
    await part('gone')
      .getByText(/^Voltou ao todo: R\$\s149,90$/)
      .waitFor()
    await assertReadable(page, 'a payment that is gone')
    assertClean()
  })

  it('say of several refunds how much each line of the history is about, and what is left for the receivers', async () => {
    const id = await tenant.payByCard(await tenant.createOrder(cardTerms(['rp_shop0001', 'rp_partner2'])))
    const { page, part, assertClean } = await openAsOwner(harness, `/payments/${id}`)
    for (const [index, amount] of ['10.00', '20.00'].entries()) {
      await tenant.post(`/payment/${id}/refund`, { amount })
      await until(
        'it is done',
        async () => (await part('refunds').locator('[data-status="SUCCEEDED"]').count()) === index + 1,
      )
    }
    const told = await part('history').innerText()
    for (const sum of ['R$10.00', 'R$20.00']) {
      expect(told).toMatch(new RegExp(`A refund was ordered\\s+${sum.replace('$', '\\$')}`))
      expect(told).toMatch(new RegExp(`A refund has reached the payer\\s+${sum.replace('$', '\\$')}`))
    }
    expect(await part('money').innerText()).toMatch(/Before refunds\s+R\$100\.00\s+Receives\s+R\$70\.00/)
    // Nobody has said why, and it was ordered here.
    await part('refunds').getByText('Not said').first().waitFor()
    expect(await part('refunds').getByText('Made at the provider').count()).toBe(0)
    await page.goto(page.url().replace(/\/payments\/.*/, '/overview'))
    await part('overview').getByText('Went back to payers (BRL)').waitFor()
    assertClean()
  })

  it('are asked for at a small part of what a person has in a minute, with what was sent of them', async () => {
    const { id } = await paidByPix({ amount_from: '149.90' })
    const opened = await openAsOwner(harness, '/keys')
    await opened.part('keys').waitFor()
    const costs = costsOf(opened)
    await opened.goTo(`/payments/${id}`)
    await opened.part('open-delivery').first().waitFor()
    await until('both have answered', () => costs.length >= 2)
    expect(costs.reduce((sum, cost) => sum + cost, 0)).toBeLessThanOrEqual(OPENING_MOST)
    await opened.part('open-delivery').first().click()
    await opened.part('attempts').locator('[data-test="row"]').first().waitFor()
    expect(await opened.part('delivery').locator('pre.json').innerText()).toContain(id)
    opened.assertClean()
  })
})
