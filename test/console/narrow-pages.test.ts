import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAsOwner } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
usesBrowser()

const PHONE = { viewport: { width: 390, height: 844 }, locale: 'pt-BR' } as const

/** How much wider the chosen text of a field is than its room, in pixels. */
function cutOff(field: Locator): Promise<number> {
  return field.evaluate((select: HTMLSelectElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select)
    const context = document.createElement('canvas').getContext('2d')
    if (!context) throw new Error('there is no canvas')
    context.font = font
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    return context.measureText(select.selectedOptions[0]?.text ?? '').width - room
  })
}

describe.skipIf(noBrowser)(`on a phone, in Portuguese${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('the dates below a chart stand apart', async () => {
    await harness.tenant.register()
    const { page, part, assertClean } = await openAsOwner(harness, '/overview', PHONE)
    const dates = page.locator('.chart-dates').first()
    await dates.waitFor({ state: 'attached' })
    for (const days of ['7', '90', '30']) {
      await part('overview-range').selectOption(days)
      await until('the days are shown', async () => (await dates.locator('span').count()) === Number(days))
      const shown = await dates.evaluate((element) =>
        [...element.children]
          .filter((one) => one.textContent !== '' && getComputedStyle(one).visibility === 'visible')
          .map((one) => {
            const range = document.createRange()
            range.selectNodeContents(one)
            const { left, right } = range.getBoundingClientRect()
            return { left, right }
          }),
      )
      expect(shown.length).toBeGreaterThan(1)
      for (const [index, { left }] of shown.slice(1).entries())
        expect([days, left - (shown[index]?.right ?? 0) > 4]).toEqual([days, true])
    }
    assertClean()
  })

  it('what a chain can be is not cut in the form of a payment link', async () => {
    const { part, assertClean } = await openAsOwner(harness, '/orders/new', PHONE)
    await part('order-chain').waitFor()
    expect(await cutOff(part('order-chain'))).toBeLessThanOrEqual(0)
    assertClean()
  })
})
