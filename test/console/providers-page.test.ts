import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs } from '../harness/console-page.js'
import { fault } from '../harness/control.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const ANA = 'ana@ops.example'
const harness = await startHarness({ OPERATOR_EMAILS: ANA })
const { tenant } = harness
usesBrowser()

describe.skipIf(noBrowser)(`providers' health at the console${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('shows a provider that fails, and that it answers again, by the calls of payments alone', async () => {
    const opened = await openAs(harness, ANA, '/operators/providers')
    const { page, part, goTo, assertClean } = opened
    await page.getByRole('heading', { name: 'Providers' }).waitFor()
    const row = page.locator(`[data-test="providers"] [data-id="pix ${new URL(harness.pixUrl).host}"]`)
    /** What processes have counted in a minute is written once it is over. */
    const untilState = async (state: string): Promise<string> => {
      harness.clock.advance(60_000)
      await until(`Pix is ${state}`, async () => {
        await goTo('/operators/providers')
        await part('providers').or(part('no-providers')).waitFor()
        return (await row.locator(`[data-status="${state}"]`).count()) > 0
      })
      return row.innerText()
    }
    const terms = { payment_method_allowed: { pixcrypto: true } }
    const order = await tenant.createOrder(terms)
    await tenant.pixOfOrder(order)
    await untilState('ANSWERING')
    await fault(harness.pixUrl, 'down', '/cob')
    await expect(tenant.pixOfOrder(order)).rejects.toThrow('provider_unavailable')
    expect(await untilState('FAILING')).toMatch(/Failed: [1-9][^]*Not reached/)
    // Those that fail stand first.
    expect(await page.locator('[data-test="row"]').first().getAttribute('data-id')).toContain('pix')
    expect(await violations(page)).toEqual([])

    await fault(harness.pixUrl, 'ok')
    await tenant.pixOfOrder(order)
    // How it failed stays to be read.
    expect(await untilState('ANSWERING')).toMatch(/Failed: [1-9][^]*Not reached/)
    // Nodes are told by chain and host.
    const node = page.locator('[data-test="providers"] [data-id^="chain polygon 127.0.0.1:"]')
    expect(await node.innerText()).toContain('Node: polygon')
    assertClean()
  })
})
