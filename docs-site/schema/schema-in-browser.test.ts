import { describe, expect, it } from 'vitest'
import { violations } from '../../test/harness/axe.js'
import { noBrowser, openPage, usesBrowser } from '../../test/harness/browser.js'
import { startHarness } from '../../test/harness/harness.js'

const { url } = await startHarness()
usesBrowser()

describe.skipIf(noBrowser)('the pages of the schema in a browser', () => {
  it.each(['light', 'dark'] as const)('can be read by everybody, on a phone too (%s)', async (colorScheme) => {
    const { page, assertClean } = await openPage(`${url}/schema`, { colorScheme })
    const assertReadable = async () => {
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
    await assertReadable()
    await page.getByLabel('Search the schema').fill('payerVerification')
    await page.getByRole('search', { name: 'Schema' }).getByRole('button').click()
    await page.getByRole('link', { name: 'Payment.payerVerification' }).click()
    await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor()
    await assertReadable()
    // What goes on beside the page has a shadow on that side.
    const table = page.locator('.table').first()
    expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true)
    expect(await table.evaluate((box) => getComputedStyle(box).backgroundImage)).toContain('gradient')
    await page.getByRole('main').getByRole('link', { name: 'GraphQL schema' }).click()
    await page.getByRole('link', { name: 'Plan an operation' }).click()
    await page.getByRole('button', { name: 'Plan' }).click()
    await page.getByRole('heading', { name: 'Fetches' }).waitFor()
    await assertReadable()
    await page.getByRole('link', { name: 'GraphQL schema' }).first().click()
    await page.getByRole('link', { name: 'What changed' }).click()
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    await assertReadable()
    assertClean()
  })
})
