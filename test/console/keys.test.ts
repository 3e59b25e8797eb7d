import { describe, expect, it } from 'vitest'
import { SCOPES } from '../../kernel/permissions.js'
import { violations } from '../harness/axe.js'
import { noBrowser, untilCopied, usesBrowser } from '../harness/browser.js'
import { codeFor } from '../harness/console.js'
import { openConsole, signUpAt, TRUSTED_ONLY } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness(TRUSTED_ONLY)
usesBrowser()

const list = (as: string) => harness.rest('GET', '/order/list', { as })

describe.skipIf(noBrowser)(`the page of keys${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('makes a key after a proof, shows it once, and revokes it after a question', async () => {
    const email = 'keys@example.com'
    const opened = await openConsole(harness)
    const { page, part, context, assertClean } = opened
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signUpAt(opened, harness, { email, tenant: 'Corner shop' })
    await part('nav-keys').click()
    await part('new-key').click()
    const offered = await part('key-scope').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value))
    expect(offered).toEqual(SCOPES)
    await part('key-name').fill('Shop')
    expect(await part('make-key').isDisabled()).toBe(true)
    await page.getByLabel('orders:read').check()
    await part('key-life').selectOption('30')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect([width, await violations(page)]).toEqual([width, []])
    }
    // Signing in was a proof; ten minutes later another one is wanted.
    harness.clock.advance(11 * 60_000)
    await part('make-key').click()
    await part('prove').waitFor()
    await part('code').fill(await codeFor(harness, email))
    await part('prove').click()
    await part('made-key').waitFor()
    const key = await part('made-key').inputValue()
    await part('copy').click()
    await part('copy').getByText('Copied').waitFor()
    await untilCopied({ page }, key)
    expect((await list(key)).status).toBe(200)
    expect((await harness.rest('GET', '/payment/list', { as: key })).status).toBe(403)
    await part('key-kept').click()
    await part('made-key').waitFor({ state: 'detached' })
    await page.reload()
    const row = page.locator('[data-test="keys"] [data-test="row"]')
    await row.waitFor()
    expect(await row.innerText()).toContain(key.slice(0, 12))
    expect(await row.innerText()).toContain('orders:read')
    expect(await page.content()).not.toContain(key)
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect([width, await violations(page)]).toEqual([width, []])
    }
    await part('revoke-key').click()
    expect((await list(key)).status).toBe(200)
    await part('confirm').click()
    await part('revoked-at').waitFor()
    harness.clock.advance(5_000)
    expect((await list(key)).status).toBe(401)
    assertClean()
  })
})
