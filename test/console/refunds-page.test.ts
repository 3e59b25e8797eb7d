import { describe, expect, it } from 'vitest'
import { cardFields } from '../../sandbox/demo/card-payer.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { assertPagesReadable, openAsOwner } from '../harness/console-page.js'
import { postJson } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { cardPaymentBody, cardTerms } from '../harness/rest-cards.js'
import { createOrder, CREATE_TRANSACTION, register } from '../harness/rest-payments.js'

const harness = await startHarness()
const { tenant } = harness
usesBrowser()
/** Several pages of the real thing, one after another. */
const MINUTES_MS = 120_000

const order = await createOrder(harness, tenant, cardTerms(['rp_shop0001', 'rp_partner2']))

/** A payment that a card has paid. @returns its id, and the id of its charge at the processor */
async function paidByCard(): Promise<{ id: string; charge: string }> {
  const id = await register(harness, tenant, { order_code: order })
  const body = cardPaymentBody(id, cardFields('4000000000000010'))
  await harness.rest('POST', CREATE_TRANSACTION, { as: tenant, body })
  const { body: found } = await harness.rest('GET', `/payment/${id}/status`, { as: tenant })
  const { charges } = found.data?.['global_payment_data'] as { charges: { id: string }[] }
  return { id, charge: charges[0]?.id ?? '' }
}

describe.skipIf(noBrowser)(`refunds and disputes at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it(
    'are listed over all payments, come by themselves, and lead to their payments',
    async () => {
      const [refunded, disputed] = [await paidByCard(), await paidByCard()]
      const opened = await openAsOwner(harness, '/refunds')
      const { page, part, goTo, assertClean } = opened
      await part('no-disputes').waitFor()
      await part('no-refunds').waitFor()
      const body = { amount: '10.00' }
      const made = await harness.rest('POST', `/payment/${refunded.id}/refund`, { as: tenant, body })
      await goTo('/refunds')
      const refund = page.locator(`[data-test="refund-list"] [data-id="${String(made.body.data?.['refund_id'])}"]`)
      await refund.getByText('R$10.00').waitFor()
      await postJson(`${harness.cardUrl}/sandbox/charges/${disputed.charge}/chargeback`, {})
      const dispute = page.locator('[data-test="dispute-list"] [data-test="row"]')
      await dispute.locator('[data-status="TAKEN_BACK"]').waitFor()
      expect(await dispute.count()).toBe(1)
      await assertPagesReadable(opened, { '/refunds': 'dispute-list' })
      await dispute.locator('[data-test="open-payment"]').click()
      await part('history').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/console/payments/${disputed.id}`)
      assertClean()
    },
    MINUTES_MS,
  )

  it(
    'of another tenant are not shown',
    async () => {
      await paidByCard()
      const { part } = await openAsOwner(harness, '/refunds', { of: await harness.dashboard.newTenant() })
      await part('no-disputes').waitFor()
      await part('no-refunds').waitFor()
    },
    MINUTES_MS,
  )
})
