import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { EVENT_TYPES as AT_THE_CONSOLE } from '../../console/page/endpoints/endpoint-draft.js'
import { EVENT_TYPES } from '../../subgraphs/accounts/webhooks/event-types.js'
import { assertReadable, violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { codeFor } from '../harness/console.js'
import { openAsOwner } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { startReceiver } from '../harness/receiver.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()

describe('the choice of events at the console', () => {
  it('has every type of event, in the order of the documents', () => {
    expect(AT_THE_CONSOLE).toEqual(EVENT_TYPES)
  })
})

describe.skipIf(noBrowser)(`more endpoints at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('are added after a proof, tested, changed, switched off and on, given another secret, filtered by, and deleted', async () => {
    const receiver = await startReceiver()
    const opened = await openAsOwner(harness, '/webhooks')
    const { page, part, assertClean, email } = opened
    const list = part('registered-list')
    await part('add-endpoint').waitFor()
    harness.clock.advance(11 * 60_000)

    await part('add-endpoint').click()
    await part('endpoint-address').fill('http://10.0.0.1/hook')
    await part('endpoint-description').fill('Books')
    await part('endpoint-all').uncheck()
    expect(await part('save-endpoint').isDisabled()).toBe(true)
    await page.getByLabel('payment.registered').check()
    await part('save-endpoint').click()
    await part('prove').waitFor()
    await part('code').fill(await codeFor(harness, email))
    await part('prove').click()
    await part('refusal').waitFor()
    await part('endpoint-address').fill(`${receiver.url}/books`)
    await page.getByLabel('refund.created').check()
    expect(await violations(page)).toEqual([])
    await part('save-endpoint').click()
    await part('made-secret').waitFor()
    const older = await part('made-secret').inputValue()
    await part('secret-kept').click()
    await list.getByText(`${receiver.url}/books`).waitFor()
    await list.getByText('payment.registered, refund.created').waitFor()
    expect(await page.content()).not.toContain(older)

    await part('endpoint-secret').click()
    await part('make-secret').click()
    await part('made-secret').waitFor()
    const newer = await part('made-secret').inputValue()
    await part('secret-kept').click()
    await part('old-endpoint-secret').waitFor()

    await part('endpoint-test').click()
    await until('the test event has come', () => receiver.received.length === 1)
    const [message] = receiver.received
    for (const secret of [older, newer])
      expect(new Webhook(secret).verify(message?.text ?? '', message?.headers as Record<string, string>)).toMatchObject(
        { type: 'payment.success' },
      )
    await part('delivery-endpoint').getByText('Books').waitFor()
    await part('delivery-list').getByText('Delivered').waitFor()
    await part('open-delivery').first().click()
    await part('delivery').getByText('Books', { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    await part('endpoint-change').click()
    await part('endpoint-description').fill('The books')
    await part('endpoint-all').check()
    await part('save-endpoint').click()
    await list.getByText('The books').waitFor()
    await list.getByText('All events').waitFor()

    await part('endpoint-off').click()
    await part('confirm').click()
    await list.getByText('Off', { exact: true }).waitFor()
    await part('endpoint-on').click()
    await list.getByText('On', { exact: true }).waitFor()

    await part('filter-endpoint').selectOption({ label: 'The books' })
    await page.waitForURL(/endpointId=/)
    await part('delivery-list').getByText('payment.success').waitFor()
    await assertReadable(page, 'webhooks')

    await part('endpoint-remove').click()
    await part('confirm').click()
    await part('registered-endpoints').getByText('There is none yet.').waitFor()
    await part('delivery-endpoint').getByText('A deleted endpoint').waitFor()
    assertClean()
  })

  it('are read on a desk and on a phone in Portuguese too, with one that fails', async () => {
    const receiver = await startReceiver((_message, response) => response.writeHead(500).end())
    const tenant = await harness.dashboard.newTenant()
    const opened = await openAsOwner(harness, '/webhooks', { of: tenant, locale: 'pt-BR' })
    const { page, part, assertClean } = opened
    await part('add-endpoint').click()
    await part('endpoint-address').fill(receiver.url)
    await part('save-endpoint').click()
    await part('secret-kept').click()
    await part('endpoint-test').click()
    await until('the test event has come', () => receiver.received.length >= 1)
    await until('it fails', async () => {
      await page.reload()
      await part('registered-list').waitFor()
      return (await part('registered-list').innerText()).includes('Falhando')
    })
    await part('registered-list').getByText('Não recebe nada desde').waitFor()
    await assertReadable(page, 'webhooks, em português')
    assertClean()
  })
})
