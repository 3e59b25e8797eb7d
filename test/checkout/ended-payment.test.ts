import { describe, expect, it } from 'vitest'
import { CANCELED_CODES, RECEIVED_CODES } from '../../checkout/page-view.js'
import { runLedger } from '../../subgraphs/payments/fixtures/run-ledger.js'
import { FINAL_ERRORS } from '../../subgraphs/payments/model/attempt-rules.js'
import { paymentFailure } from '../../subgraphs/payments/model/payment-failure.js'
import { postJson } from '../harness/control.js'
import { noBrowser, openPage, usesBrowser } from '../harness/browser.js'
import { startHarness } from '../harness/harness.js'
import { pageOfOrder, PIX_PAYER } from '../harness/payment-page.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()
const { tenant } = harness
const LINK_MS = 7 * 24 * 3_600_000

describe('the page of a payment that was given back before anybody was paid', () => {
  it('says that the money goes back, and offers no way to pay', async () => {
    expect(await runLedger(harness, 'pause', '--reason', 'nobody is paid yet')).toBe(0)
    const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true, cardcrypto: true } })
    const { id, charge } = await tenant.pixOfOrder(order)
    await postJson(`${harness.pixUrl}/sandbox/cob/${charge.txid}/pay`)
    const page = await tenant.pagePath(id)
    const look = async () => (await harness.rest('GET', page, { headers: { 'accept-language': 'en' } })).text
    await until('the money is there', async () => (await look()).includes('data-status="received"'))
    await tenant.post(`/payment/${id}/refund`)
    await tenant.untilStatus(id, 'error')
    const text = await look()
    expect(text).toContain('data-status="canceled"')
    expect(text).toContain('The money goes back to you')
    expect(text).not.toContain('data-test="method-')
  })

  it('is one of those after which nothing can be paid, to the page as to the payment itself', () => {
    expect([...CANCELED_CODES, ...RECEIVED_CODES].sort()).toEqual([...FINAL_ERRORS].sort())
  })
})

describe('the page of a payment that a router has paid in another token', () => {
  it('says that the money is in, shows the receipt and leads back to the shop, and offers no way to pay', async () => {
    const { id } = await tenant.signedPayment(await harness.chain.newPayer(), {
      success_url: 'https://shop.example/thanks',
    })
    const hash = `0x${'7'.repeat(64)}`
    const dataError = paymentFailure('route_partial', 'The payer’s money came in another token.')
    await harness.sql(
      `update payments.payment set status = 'error', tid_hash = $2, data_error = $3::jsonb where id = $1`,
      [id, hash, JSON.stringify(dataError)],
    )
    expect((await tenant.statusOf(id))['data_error']).toMatchObject({ code: 'route_partial' })
    const page = await tenant.pagePath(id)
    const { text } = await harness.rest('GET', page, { headers: { 'accept-language': 'en' } })
    expect(text).toContain('data-status="received"')
    expect(text).toContain('Your money is in.')
    expect(text).toContain(hash)
    expect(text).toContain('payment_status=received')
    expect(text).not.toContain('data-test="method-')
  })
})

// Last, for the clock moves.
describe.skipIf(noBrowser)(`a page that is open when its link expires${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('says so to the payer who does something there', async () => {
    const { address } = await pageOfOrder(harness)
    const { page, part } = await openPage(address, { locale: 'en-US' })
    await part('pix-cpf').fill(PIX_PAYER.cpf)
    await part('pix-email').fill(PIX_PAYER.email)
    harness.clock.advance(LINK_MS + 60_000)
    await part('pay').click()
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  })
})
